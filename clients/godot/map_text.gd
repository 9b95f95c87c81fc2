# Writes maps as walkability bitmaps, which `chase` and nav_formats read.

# Most columns or rows that the server reads.
const SIDE_MAX = 16384


# Writes a map. `origin` is the centre of column 0, row 0; columns run toward +x, rows toward -z,
# and y points up. `is_walkable` has a method `is_walkable(column, row)`. Empty if a side or the
# size of a cell is out of range.
static func write(
	origin: Vector3, cell_size: float, wide: int, height: int, is_walkable: Object
) -> String:
	var sides_fit: bool = min(wide, height) >= 1 and max(wide, height) <= SIDE_MAX
	if not sides_fit or not cell_size > 0.0:
		return ""
	var text: String = (
		"startpos=(%s, %s, %s)\nheight=%d\nwide=%d\naccuracy=%s\n"
		% [
			number(origin.x),
			number(origin.y),
			number(origin.z),
			height,
			wide,
			number(cell_size),
		]
	)
	for row in range(height):
		var cells: String = ""
		for column in range(wide):
			cells += "1," if is_walkable.is_walkable(column, row) else "0,"
		text += "{" + cells + "},\n"
	return text


# Writes a number. Nine digits behind the point are more than the 32 bits of a coordinate have.
static func number(value: float) -> String:
	return ("%.9f" % value).rstrip("0").rstrip(".")
