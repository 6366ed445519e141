import OcellusImaging
import OcellusVision

/// The objects that the official runtime finds in photographs with the detectors of the shared
/// corpus.
///
/// LiteRT 2.3.0's reference kernels ran on pictures that Pillow 13 decoded and resized (bilinear);
/// a Python script that shares no code with this package decoded the outputs.
struct ZooDetections: Sendable {
  let model: String
  let picture: String
  let threshold: Float
  let anchors: String?
  /// The number of objects at that threshold.
  let count: Int
  /// The folder that contains the model.
  var folder = "models"
  /// The best objects: left, top, right and bottom as fractions of the picture, class, score.
  let best: [[Double]]

  static let all: [ZooDetections] = [
    .init(
      model: "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29", picture: "cats_and_dogs.jpg",
      threshold: 0.45, anchors: nil,
      count: 5,
      best: [
        [0.042693, 0.663461, 0.369809, 0.990578, 16, 0.656250],
        [0.499815, 0.263071, 0.860388, 1.007377, 16, 0.621094],
        [0.218246, 0.659420, 0.364773, 1.002653, 16, 0.539062],
      ]),
    .init(
      model: "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29", picture: "darknet_dog.jpg",
      threshold: 0.45, anchors: nil,
      count: 5,
      best: [
        [0.177013, 0.212637, 0.753929, 0.754208, 1, 0.738281],
        [0.601381, 0.138158, 0.899103, 0.296735, 2, 0.667969],
        [0.169319, 0.371511, 0.435198, 0.932007, 16, 0.632812],
      ]),
    .init(
      model: "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29", picture: "coco_000000000139.jpg",
      threshold: 0.45, anchors: nil,
      count: 10,
      best: [
        [0.456657, 0.504391, 0.561797, 0.762637, 61, 0.687500],
        [0.565522, 0.498001, 0.672336, 0.764540, 61, 0.687500],
        [0.004889, 0.389273, 0.239770, 0.624694, 71, 0.679688],
      ]),
    .init(
      model: "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29", picture: "table.jpg", threshold: 0.45,
      anchors: nil,
      count: 2,
      best: [
        [0.534602, 0.518712, 0.916101, 0.865694, 86, 0.500000],
        [0.038661, 0.232767, 0.969594, 0.934803, 66, 0.488281],
      ]),
    .init(
      model: "custom_ssd_mobilenet_v2_fpn_lite_320x320", picture: "meal_one.jpg", threshold: 0.4,
      anchors: nil,
      count: 1,
      best: [
        [-0.007036, 0.009948, 0.963735, 0.990052, 4, 0.996094]
      ]),
    .init(
      model: "custom_ssd_mobilenet_v2_fpn_lite_320x320", picture: "meal_three.jpg", threshold: 0.4,
      anchors: nil,
      count: 1,
      best: [
        [0.052963, 0.056981, 0.985311, 0.912400, 6, 0.996094]
      ]),
    .init(
      model: "salad1_automl", picture: "meal_three.jpg", threshold: 0.6, anchors: nil,
      count: 4,
      best: [
        [0.092938, 0.138180, 0.859477, 0.834024, 1, 0.910156],
        [0.411754, 0.126580, 0.527320, 0.318660, 0, 0.863281],
        [0.569141, 0.596445, 0.753817, 0.789588, 0, 0.773438],
      ]),
    .init(
      model: "mobile_object_localizer_192", picture: "coco_000000000872.jpg", threshold: 0.3,
      anchors: nil,
      count: 3,
      best: [
        [0.307831, 0.179997, 0.647827, 0.905244, 0, 0.914062],
        [0.265523, 0.207599, 0.547597, 0.927896, 0, 0.656250],
        [0.450240, 0.157569, 0.690246, 0.873415, 0, 0.628906],
      ]),
    .init(
      model: "mobile_object_localizer_192", picture: "pets.jpg", threshold: 0.3, anchors: nil,
      count: 2,
      best: [
        [0.651847, 0.392775, 0.962373, 0.849851, 0, 0.863281],
        [0.230638, 0.109365, 0.500852, 0.690450, 0, 0.718750],
      ]),
    .init(
      model: "ssd_mobilenet_v3_int8", picture: "cats_and_dogs.jpg", threshold: 0.4, anchors: nil,
      count: 2,
      best: [
        [0.339573, 0.360998, 0.513124, 0.981574, 87, 0.449219],
        [0.529866, 0.257445, 0.744117, 0.971601, 87, 0.449219],
      ]),
    .init(
      model: "ssd_mobilenet_v3_int8", picture: "coco_000000000285.jpg", threshold: 0.4,
      anchors: nil,
      count: 1,
      best: [
        [0.041646, 0.013750, 0.980592, 0.986250, 54, 0.500000]
      ]),
    .init(
      model: "ssd_slim_120x160x1_v1_int8", picture: "face.jpg", threshold: 0.6, anchors: nil,
      count: 4,
      best: [
        [0.507539, 0.152870, 0.674378, 0.468409, 0, 0.996094],
        [0.268660, 0.233009, 0.440459, 0.573089, 0, 0.996094],
        [0.864159, 0.346429, 0.955443, 0.504026, 0, 0.992188],
      ]),
    .init(
      model: "ssd_slim_120x160x1_v1_int8", picture: "nxp_faces.jpg", threshold: 0.6, anchors: nil,
      count: 7,
      best: [
        [0.499977, 0.232823, 0.543374, 0.324113, 0, 0.996094],
        [0.897535, 0.260795, 0.949615, 0.367070, 0, 0.984375],
        [0.208896, 0.307092, 0.306906, 0.489660, 0, 0.972656],
      ]),
    .init(
      model: "face_detection_short_range", picture: "face.jpg", threshold: 0.5, anchors: nil,
      count: 2,
      best: [
        [0.492775, 0.187391, 0.697233, 0.481444, 0, 0.967891],
        [0.250139, 0.270772, 0.457090, 0.568410, 0, 0.881061],
      ]),
    .init(
      model: "face_detection_front_float", picture: "face.jpg", threshold: 0.5, anchors: nil,
      count: 3,
      best: [
        [0.494538, 0.192521, 0.694692, 0.480382, 0, 0.999811],
        [0.256815, 0.295836, 0.442512, 0.562905, 0, 0.998089],
        [0.851339, 0.340379, 0.978998, 0.523982, 0, 0.923759],
      ]),
    .init(
      model: "blazeface_front_128_int8", picture: "face.jpg", threshold: 0.5, anchors: nil,
      count: 2,
      best: [
        [0.499377, 0.198939, 0.689151, 0.471872, 0, 0.946903],
        [0.252371, 0.284392, 0.447072, 0.564411, 0, 0.872219],
      ]),
    .init(
      model: "face_detection_back", picture: "nxp_faces.jpg", threshold: 0.5, anchors: nil,
      count: 8,
      best: [
        [0.205539, 0.344661, 0.301212, 0.495848, 0, 0.924134],
        [0.494207, 0.245998, 0.552117, 0.337510, 0, 0.923369],
        [0.321220, 0.179002, 0.387798, 0.284212, 0, 0.911590],
      ]),
    .init(
      model: "face_detection_full_range_sparse", picture: "face.jpg", threshold: 0.5, anchors: nil,
      count: 4,
      best: [
        [0.482215, 0.175346, 0.693801, 0.480717, 0, 0.946606],
        [0.244632, 0.265953, 0.455670, 0.570669, 0, 0.886114],
        [0.003142, 0.318684, 0.087145, 0.440012, 0, 0.802140],
      ]),
    .init(
      model: "yolo-fastest-1.1_160_person", picture: "nxp_persons.jpg", threshold: 0.4,
      anchors: "yolo-fastest-1.1_160_person_anchors.txt",
      count: 1,
      best: [
        [0.047046, 0.036739, 0.840205, 0.963261, 0, 0.983018]
      ]),
    .init(
      model: "yolo-fastest_1.1_face_320_v1", picture: "nxp_faces.jpg", threshold: 0.4,
      anchors: "yolo-fastest_1.1_face_320_v1_anchors.txt",
      count: 8,
      best: [
        [0.683815, 0.301841, 0.738676, 0.385640, 0, 0.996222],
        [0.493196, 0.231477, 0.548057, 0.331477, 0, 0.994629],
        [0.210156, 0.331901, 0.304430, 0.485026, 0, 0.991261],
      ]),
    .init(
      model: "nanodet_320", picture: "darknet_dog.jpg", threshold: 0.35, anchors: nil,
      count: 2, folder: "more",
      best: [
        [0.151188, 0.225169, 0.739990, 0.789222, 1, 0.585040],
        [0.612816, 0.131009, 0.923356, 0.291053, 2, 0.538583],
      ]),
    .init(
      model: "nanodet_320", picture: "cats_and_dogs.jpg", threshold: 0.35, anchors: nil,
      count: 4, folder: "more",
      best: [
        [0.520792, 0.257389, 0.819589, 0.997637, 16, 0.571705],
        [0.063835, 0.686539, 0.360138, 1.004403, 15, 0.506190],
        [0.186819, 0.352330, 0.552433, 0.996436, 16, 0.412202],
      ]),
    .init(
      model: "dbface_keras_256x256_integer_quant_nhwc", picture: "nxp_faces.jpg", threshold: 0.3,
      anchors: nil,
      count: 8,
      best: [
        [0.203937, 0.330266, 0.312735, 0.472829, 0, 0.714844]
      ]),
    .init(
      model: "dbface_keras_256x256_integer_quant_nhwc", picture: "face.jpg", threshold: 0.3,
      anchors: nil,
      count: 5,
      best: [
        [0.838478, 0.330155, 0.976690, 0.509886, 0, 0.707031],
        [0.485825, 0.171356, 0.699069, 0.459200, 0, 0.699219],
        [-0.008998, 0.291603, 0.117315, 0.448179, 0, 0.687500],
      ]),
    .init(
      model: "face_yunet", picture: "nxp_faces.jpg", threshold: 0.6, anchors: nil,
      count: 7,
      best: [
        [0.499719, 0.235005, 0.552223, 0.323922, 0, 0.986172],
        [0.888501, 0.259585, 0.944033, 0.356971, 0, 0.963481],
        [0.326033, 0.154785, 0.391226, 0.272995, 0, 0.949087],
      ]),
    .init(
      model: "yolo26n_int8", picture: "darknet_dog.jpg", threshold: 0.25, anchors: nil,
      count: 5, folder: "more",
      best: [
        [0.170509, 0.386186, 0.404878, 0.940949, 16, 0.926210],
        [0.160906, 0.232288, 0.736683, 0.734624, 1, 0.907361],
        [0.609318, 0.127827, 0.904669, 0.297824, 7, 0.532778],
      ]),
    .init(
      model: "yolov5_nano_224_openmv", picture: "nxp_faces.jpg", threshold: 0.25, anchors: nil,
      count: 7, folder: "more",
      best: [
        [0.069344, 0.142744, 0.377542, 0.908463, 0, 0.819430],
        [0.157951, 0.118436, 0.566313, 0.884154, 0, 0.643291],
        [0.658772, 0.282518, 0.882215, 0.768689, 0, 0.597341],
      ]),
    .init(
      model: "yolov8n_seg_int8_edgefirst", picture: "darknet_dog.jpg", threshold: 0.25,
      anchors: nil,
      count: 4, folder: "more",
      best: [
        [0.175665, 0.241856, 0.739427, 0.732084, 1, 0.851562],
        [0.175665, 0.383478, 0.404438, 0.939069, 16, 0.851562],
        [0.610742, 0.130193, 0.908964, 0.299049, 7, 0.609375],
      ]),
    .init(
      model: "st_ssd_mnv1_025_192", picture: "coco_000000000872.jpg", threshold: 0.4,
      anchors: nil,
      count: 1, folder: "more",
      best: [
        // The bytes of the picture, as ST's programs on devices give them; its Python script
        // truncates (value / 127.5 - 1) / scale + 127, so that each is less by one.
        [0.265152, 0.207549, 0.697685, 0.937623, 0, 0.945312]
      ]),
    .init(
      model: "centerface_128_int8", picture: "face.jpg", threshold: 0.5, anchors: nil,
      count: 4, folder: "more",
      best: [
        [0.251808, 0.273487, 0.462770, 0.565256, 0, 0.816406],
        [0.485607, 0.165915, 0.684274, 0.479486, 0, 0.765625],
        [0.006246, 0.289366, 0.098353, 0.441902, 0, 0.566406],
      ]),
    .init(
      model: "centerface_128_int8", picture: "grace_hopper.jpg", threshold: 0.5, anchors: nil,
      count: 1, folder: "more",
      best: [
        [0.347618, 0.192664, 0.692812, 0.581910, 0, 0.828125]
      ]),
    .init(
      model: "yolo11n_coco_u8_split", picture: "darknet_dog.jpg", threshold: 0.25, anchors: nil,
      count: 4, folder: "more",
      best: [
        [0.172362, 0.227304, 0.733770, 0.732900, 1, 0.953125],
        [0.177287, 0.378326, 0.413669, 0.916753, 16, 0.945312],
        [0.610655, 0.148510, 0.891359, 0.312664, 2, 0.605469],
      ]),
    .init(
      model: "yolo11n_coco_u8_split", picture: "coco_000000000139.jpg", threshold: 0.25,
      anchors: nil,
      count: 13, folder: "more",
      best: [
        [-0.009849, 0.392497, 0.226533, 0.607053, 62, 0.917969],
        [0.457991, 0.496076, 0.551559, 0.732828, 56, 0.851562],
        [0.664826, 0.370301, 0.718996, 0.695836, 0, 0.703125],
      ]),
    .init(
      model: "yolo11n_fuel_photonvision", picture: "multi_objects.jpg", threshold: 0.25,
      anchors: nil,
      count: 1, folder: "more",
      best: [
        [0.471226, 0.427500, 0.584559, 0.683004, 0, 0.326886]
      ]),
  ]
}
