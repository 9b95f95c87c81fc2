# What the tests need of Godot 3.

static func read(path: String) -> String:
	var file = File.new()
	file.open(path, File.READ)
	return file.get_as_text()


static func parse(text: String):
	return JSON.parse(text).result
