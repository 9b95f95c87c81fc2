# What the tests need of Godot 4.

static func read(path: String) -> String:
	return FileAccess.get_file_as_string(path)


static func parse(text: String):
	return JSON.parse_string(text)
