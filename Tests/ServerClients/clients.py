"""Asks a running server by the clients that people have, unchanged.

  clients.py URL OCELLUS PICTURE      asks with requests, deepstack-python and tritonclient

OCELLUS is the program, whose `detect --json` says what the answers must be, to the last digit.
"""

import json
import subprocess
import sys
import urllib.parse

import numpy
import requests
from deepstack.core import DeepstackObject, DeepstackScene
import tritonclient.http as triton
from tritonclient.utils import np_to_triton_dtype, triton_to_np_dtype

url, ocellus, picture = sys.argv[1:]
address = urllib.parse.urlparse(url)
photo = open(picture, "rb").read()
PATIENCE = 120
"""Seconds for an answer: a sanitized debug build takes long."""


def command(name, *arguments):
    """Returns the document about the picture as a command prints it, with what all documents have."""
    output = subprocess.run(
        [ocellus, name, *arguments, "--jsonl", "-"], input=photo, check=True, capture_output=True
    ).stdout
    return json.loads(output)


def differences(one, other):
    """Returns the members that differ, without the time that was taken."""
    names = one.keys() | other.keys()
    return {
        name: (one.get(name), other.get(name))
        for name in names - {"milliseconds"}
        if one.get(name) != other.get(name)
    }


def check_own():
    for name in ["detect", "label"]:
        answer = requests.post(f"{url}/{name}", data=photo, timeout=PATIENCE).json()
        expected = command(name)
        assert not differences(answer, expected), differences(answer, expected)
    drawn = requests.post(f"{url}/detect", data=photo, headers={"Accept": "image/jpeg"}, timeout=PATIENCE)
    assert drawn.headers["Content-Type"] == "image/jpeg" and drawn.content[:2] == b"\xff\xd8"
    form = requests.post(f"{url}/detect", files={"image": photo}, timeout=PATIENCE).json()
    assert form["detections"] == command("detect")["detections"]
    for frame in range(3):
        answer = requests.post(f"{url}/track/door?time={frame}", data=photo, timeout=PATIENCE).json()
    assert all(found["tracking_id"] for found in answer["detections"]), answer
    print("own protocol: as the commands say")


def check_deepstack():
    found = command("detect")["detections"]
    client = DeepstackObject(address.hostname, address.port, timeout=PATIENCE, min_confidence=0.25)
    predictions = client.detect(photo)
    assert len(predictions) == len(found) > 0
    for prediction, detection in zip(predictions, found):
        assert prediction["confidence"] == detection["score"]
        assert prediction["label"] == detection["categories"][0]["label"]
        assert prediction["x_min"] == round(max(detection["box"]["left"], 0))
    custom = DeepstackObject(
        address.hostname, address.port, timeout=PATIENCE, custom_model="detector", min_confidence=0.25
    )
    assert custom.detect(photo) == predictions
    scene = DeepstackScene(address.hostname, address.port, timeout=PATIENCE).recognize(photo)
    labels = command("label")["labels"]
    assert scene["label"] == (labels[0]["label"] if labels else "")
    # As Frigate's detector plugin asks.
    plugin = requests.post(
        f"{url}/v1/vision/detection", data={"api_key": ""}, files={"image": photo}, timeout=PATIENCE
    ).json()
    assert plugin["success"] and all(p["confidence"] >= 0.4 for p in plugin["predictions"])
    bad = requests.post(f"{url}/v1/vision/detection", files={"image": b"no picture"}, timeout=PATIENCE)
    assert bad.status_code == 415 and bad.json()["success"] is False, bad.text
    print("DeepStack: as the command says")


def check_triton():
    client = triton.InferenceServerClient(
        f"{address.hostname}:{address.port}", connection_timeout=PATIENCE, network_timeout=PATIENCE
    )
    assert client.is_server_live() and client.is_server_ready() and client.is_model_ready("detector")
    metadata = client.get_model_metadata("detector")
    client.get_model_config("detector")
    client.get_server_metadata()
    assert [model["name"] for model in client.get_model_repository_index()] == ["detector", "labeler"]
    description = metadata["inputs"][0]
    shape = [max(extent, 1) for extent in description["shape"]]
    type_name = description["datatype"]
    values = numpy.random.default_rng(1).integers(0, 256, shape).astype(triton_to_np_dtype(type_name))
    answers = []
    for binary in [True, False]:
        tensor = triton.InferInput(description["name"], shape, type_name)
        tensor.set_data_from_numpy(values, binary_data=binary)
        outputs = [
            triton.InferRequestedOutput(output["name"], binary_data=binary)
            for output in metadata["outputs"]
        ]
        result = client.infer("detector", [tensor], outputs=outputs, request_id="7")
        assert result.get_response()["id"] == "7"
        answers.append([result.as_numpy(output["name"]) for output in metadata["outputs"]])
    for one, other in zip(*answers):
        numpy.testing.assert_array_equal(one, other)
    for algorithm in ["gzip", "deflate"]:
        result = client.infer(
            "detector", [tensor],
            request_compression_algorithm=algorithm, response_compression_algorithm=algorithm,
        )
        numpy.testing.assert_array_equal(result.as_numpy(metadata["outputs"][0]["name"]), answers[0][0])
    everything = client.infer("detector", [tensor])
    numpy.testing.assert_array_equal(everything.as_numpy(metadata["outputs"][0]["name"]), answers[0][0])
    for statistics in [
        client.get_inference_statistics("detector")["model_stats"],
        client.get_inference_statistics()["model_stats"][:1],
    ]:
        assert [model["inference_count"] for model in statistics] == [5], statistics
        assert statistics[0]["inference_stats"]["compute_infer"]["ns"] > 0
    check_what_is_lacking(client, tensor)
    compare_with_interpreter(client)
    client.unload_model("labeler")
    assert not client.is_model_ready("labeler")
    client.load_model("labeler")
    assert client.is_model_ready("labeler")
    try:
        client.infer("absent", [tensor])
        raise SystemExit("a model that is absent answered")
    except triton.InferenceServerException as error:
        assert "absent" in str(error)
    print("Open Inference Protocol: JSON and binary data agree")


def check_what_is_lacking(client, tensor):
    """Extensions that the server lacks are refused with a reason."""
    assert client.get_system_shared_memory_status() == client.get_cuda_shared_memory_status() == []
    shared = triton.InferInput(tensor.name(), tensor.shape(), tensor.datatype())
    shared.set_shared_memory("region", 8)
    for call in [
        client.get_trace_settings,
        lambda: client.update_trace_settings("detector", {"trace_level": ["TIMESTAMPS"]}),
        client.get_log_settings,
        lambda: client.update_log_settings({"log_info": False}),
        lambda: client.register_system_shared_memory("region", "/region", 8),
        client.unregister_system_shared_memory,
        lambda: client.register_cuda_shared_memory("region", b"handle", 0, 8),
        client.unregister_cuda_shared_memory,
        lambda: client.infer("detector", [shared]),
    ]:
        try:
            call()
        except triton.InferenceServerException as error:
            assert "the server" in str(error), error
        else:
            raise SystemExit(f"{call} was not refused")


def compare_with_interpreter(client):
    """Compares the labeler with the official interpreter, if it is installed."""
    try:
        from ai_edge_litert.interpreter import Interpreter
    except ImportError:
        print("not compared with ai-edge-litert, which is not installed")
        return
    path = command("label")["model"]
    interpreter = Interpreter(path if path.endswith(".tflite") else path + "/model.tflite")
    interpreter.allocate_tensors()
    entry = interpreter.get_input_details()[0]
    values = numpy.random.default_rng(2).integers(0, 256, entry["shape"]).astype(entry["dtype"])
    interpreter.set_tensor(entry["index"], values)
    interpreter.invoke()
    output = interpreter.get_output_details()[0]
    expected = interpreter.get_tensor(output["index"])
    tensor = triton.InferInput(entry["name"], entry["shape"].tolist(), np_to_triton_dtype(values.dtype))
    tensor.set_data_from_numpy(values)
    found = client.infer("labeler", [tensor]).as_numpy(output["name"])
    # Quantized results differ by some steps, since the two round differently within the network.
    step = 8 if expected.dtype.kind in "iu" else 0.02
    numpy.testing.assert_allclose(found.astype(float), expected.astype(float), rtol=0, atol=step)
    print("Open Inference Protocol: as ai-edge-litert says")


check_own()
check_deepstack()
check_triton()
