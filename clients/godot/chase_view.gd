# Follows a server: one node per agent in view, made from a scene and moved. Godot 4.
#
# The scenes of agents may be 2D or 3D. Add the view below the TileMapLayer or GridMap whose map the
# server has, so that places of the map are places of its children.
class_name ChaseView
extends Node

# A message of the server that is no packet, for the game to read.
signal other_message(message: Variant)
signal appeared(id: int, node: Node)
signal vanished(id: int)

const ChaseClient = preload("chase_client.gd")

# Seconds from one attempt to connect to the next. A guess.
const RECONNECT_SECONDS = 2.0

# Where the server sends packets as JSON. Empty: call `receive` yourself.
@export var address: String = "ws://127.0.0.1:8080/ws?view=near"
# `chase serve` takes requests in a field of this name. Empty: as they are.
@export var request_field: String = "request"
@export var chaser_scene: PackedScene
@export var player_scene: PackedScene
# Pixels of a unit of the server, for agents in 2D: the side of a tile.
@export var pixels_per_unit: float = 16.0
# Whether nodes turn where agents face.
@export var turns: bool = true

var client := ChaseClient.new()

var _socket: WebSocketPeer = null
var _connect_at: float = 0.0
var _nodes: Dictionary = {}


func _process(_delta: float) -> void:
	var now: float = _now()
	if address != "":
		_exchange(now)
	client.advance(now)
	_show()


# Sends the server a message of the game.
func send(message: Variant) -> void:
	if _socket != null and _socket.get_ready_state() == WebSocketPeer.STATE_OPEN:
		_socket.send_text(JSON.stringify(message))


# Takes a message of the server.
func receive(text: String) -> void:
	var message: Variant = JSON.parse_string(text)
	if not client.receive(message, _now()):
		other_message.emit(message)


# The node of an agent; null if it is not in view.
func node_of(id: int) -> Node:
	return _nodes.get(id)


func _now() -> float:
	return Time.get_ticks_usec() / 1000000.0


func _exchange(now: float) -> void:
	if _socket == null:
		if now < _connect_at:
			return
		_connect_at = now + RECONNECT_SECONDS
		_socket = WebSocketPeer.new()
		# A view of many agents begins with one large packet, and 64 KiB are the default.
		_socket.inbound_buffer_size = 1 << 20
		# A connection counts packets from 1 on, and begins with the whole view.
		var settings: Dictionary = client.settings
		client = ChaseClient.new()
		client.settings = settings
		if _socket.connect_to_url(address) != OK:
			_socket = null
			return
	_socket.poll()
	while _socket.get_available_packet_count() > 0:
		receive(_socket.get_packet().get_string_from_utf8())
	var request: Variant = client.request(now)
	if request != null:
		send(request if request_field == "" else {request_field: request})
	if _socket.get_ready_state() == WebSocketPeer.STATE_CLOSED:
		push_warning("Chase server: closed with code %d" % _socket.get_close_code())
		_socket = null


func _show() -> void:
	var in_view: Dictionary = {}
	for agent in client.agents():
		in_view[agent.id] = true
		if not _nodes.has(agent.id):
			var scene: PackedScene = player_scene if agent.is_player else chaser_scene
			var node: Node = scene.instantiate()
			_nodes[agent.id] = node
			add_child(node)
			appeared.emit(agent.id, node)
		_place(_nodes[agent.id], agent.follower)
	for id in _nodes.keys():
		if not in_view.has(id):
			_nodes[id].queue_free()
			_nodes.erase(id)
			vanished.emit(id)


func _place(node: Node, follower: ChaseClient.Follower) -> void:
	var at: Vector3 = _to_godot(follower.position)
	var facing: Vector3 = _to_godot(follower.facing)
	var has_turn: bool = turns and facing != Vector3.ZERO
	if node is Node3D:
		node.position = at
		if has_turn:
			# Godot's models look along -z.
			node.rotation.y = atan2(-facing.x, -facing.z)
	elif node is Node2D:
		# Down in 2D is south, as +z is in 3D: see `export_map.gd`.
		node.position = Vector2(at.x, at.z) * pixels_per_unit
		if has_turn:
			node.rotation = Vector2(facing.x, facing.z).angle()


# Where z points up in the server's world, y points north, which is -z in Godot.
func _to_godot(at: Vector3) -> Vector3:
	return Vector3(at.x, at.z, -at.y) if client.ground["up"] == 2 else at
