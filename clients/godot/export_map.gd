# Exports the selected TileMapLayers, or the selected GridMap, as a map of the server. Godot 4: open
# this script in the editor and choose File > Run.
#
# Columns run toward +x. In 2D a unit of the server is a tile, and y of the screen is its z. The
# first row is the one with the greatest z, because rows of the format run toward -z.
@tool
extends EditorScript

const MapText = preload("map_text.gd")

# Where the map is written.
const FILE = "res://map.bitmap"

# The level of a GridMap whose blocks are walked on.
const LEVEL = 0


# Tiles: walkable where a layer has a tile, and no layer has one with a collision shape.
class Tiles:
	var layers: Array[TileMapLayer] = []
	var area := Rect2i()

	func _init(selected: Array[TileMapLayer]):
		layers = selected
		for layer in layers:
			var used: Rect2i = layer.get_used_rect()
			area = area.merge(used) if area.has_area() else used

	func is_walkable(column: int, row: int) -> bool:
		var cell := Vector2i(area.position.x + column, area.end.y - 1 - row)
		var has_ground: bool = false
		for layer in layers:
			var tile: TileData = layer.get_cell_tile_data(cell)
			if tile == null:
				continue
			for physics in layer.tile_set.get_physics_layers_count():
				if tile.get_collision_polygons_count(physics) > 0:
					return false
			has_ground = true
		return has_ground


# Blocks: walkable where the level has a block, and the one above has none.
class Blocks:
	var map: GridMap
	var area := Rect2i()

	func _init(selected: GridMap):
		map = selected
		for cell in map.get_used_cells():
			if cell.y == LEVEL:
				var used := Rect2i(cell.x, cell.z, 1, 1)
				area = area.merge(used) if area.has_area() else used

	func is_walkable(column: int, row: int) -> bool:
		var cell := Vector3i(area.position.x + column, LEVEL, area.end.y - 1 - row)
		return _has_block(cell) and not _has_block(cell + Vector3i.UP)

	func _has_block(cell: Vector3i) -> bool:
		return map.get_cell_item(cell) != GridMap.INVALID_CELL_ITEM


func _run() -> void:
	var layers: Array[TileMapLayer] = []
	var text: String = ""
	for node in EditorInterface.get_selection().get_selected_nodes():
		if node is TileMapLayer:
			layers.append(node)
		elif node is GridMap:
			text = _write_blocks(node)
	if not layers.is_empty():
		text = _write_tiles(layers)
	if text == "":
		push_error("Select TileMapLayers or a GridMap with square cells and something in it")
		return
	var file: FileAccess = FileAccess.open(FILE, FileAccess.WRITE)
	if file == null:
		push_error("Cannot write %s: error %d" % [FILE, FileAccess.get_open_error()])
		return
	file.store_string(text)
	print("Wrote ", FILE)


func _write_tiles(layers: Array[TileMapLayer]) -> String:
	for layer in layers:
		var tiles: TileSet = layer.tile_set
		if tiles == null or tiles.tile_shape != TileSet.TILE_SHAPE_SQUARE:
			return ""
		if tiles.tile_size.x != tiles.tile_size.y:
			return ""
	var source := Tiles.new(layers)
	var area: Rect2i = source.area
	var origin := Vector3(area.position.x + 0.5, 0.0, area.end.y - 0.5)
	return MapText.write(origin, 1.0, area.size.x, area.size.y, source)


func _write_blocks(map: GridMap) -> String:
	if map.cell_size.x != map.cell_size.z:
		return ""
	var source := Blocks.new(map)
	var area: Rect2i = source.area
	var first := Vector3i(area.position.x, LEVEL, area.end.y - 1)
	# The middle of the block, or its bottom, as the map has it: agents stand on its top.
	var origin: Vector3 = map.map_to_local(first)
	var is_centred: bool = map.cell_center_y
	origin.y += map.cell_size.y * (0.5 if is_centred else 1.0)
	return MapText.write(origin, map.cell_size.x, area.size.x, area.size.y, source)
