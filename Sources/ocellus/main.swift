print("ocellus")
