# Plays the recording and exports the scene of clients/fixtures. In a copy of clients, because Godot
# keeps logs beside the scripts, and ignores folders of a game that have a project file:
#
#   cd godot && touch project.godot && godot --headless --script tests/run.gd
#
# `clients/check` does so with Godot 3.
extends SceneTree

const ChaseClient = preload("../chase_client.gd")
const MapText = preload("../map_text.gd")

var _loader
var _failures: Array = []


# The cells of clients/fixtures/scene.bitmap.
class Scene:
	const ROWS = [
		"........##",
		"....#.....",
		"....#.....",
		"....#.....",
		"....#.....",
		"....#.....",
		"##......##",
		"##......##",
	]

	func is_walkable(column: int, row: int) -> bool:
		return ROWS[row][column] == "."


func _init():
	var is_old: bool = Engine.get_version_info()["major"] < 4
	_loader = load("res://tests/load3.gd" if is_old else "res://tests/load4.gd")
	var tests: Array = ["_play", "_refuse", "_export"]
	var failed: int = 0
	for test in tests:
		_failures = []
		call(test)
		failed += 0 if _failures.size() == 0 else 1
		for failure in _failures:
			print("FAILED ", test, ": ", failure)
	print("godot: %d passed, %d failed" % [tests.size() - failed, failed])
	quit(0 if failed == 0 else 1)


func _check(holds: bool, what: String) -> void:
	if not holds:
		_failures.append(what)


func _fixture(name: String) -> String:
	var folder: String = ProjectSettings.globalize_path("res://")
	return _loader.read(folder + "../fixtures/" + name).replace("\r\n", "\n")


func _play() -> void:
	var header: Dictionary = {}
	var packets: Array = []
	var asks: Array = []
	var shown: Dictionary = {}
	for line in _fixture("follow.jsonl").split("\n", false):
		var fields = _loader.parse(line)
		if fields.has("frames"):
			header = fields
		elif fields.has("packet"):
			packets.append(fields)
		elif fields.has("asks"):
			for ask in fields["asks"]:
				asks.append(int(ask))
		else:
			shown[int(fields["frame"])] = fields["agents"]
	_check(packets.size() > 50 and shown.size() > 50, "the recording is short")
	var client: ChaseClient = ChaseClient.new()
	var asked: Array = []
	var farthest: float = 0.0
	var compared: int = 0
	for frame in range(int(header["frames"])):
		var millis: float = frame * header["frame_millis"]
		var now: float = millis / 1000.0
		while packets.size() > 0 and packets[0]["millis"] <= millis:
			var packet = packets.pop_front()["packet"]
			_check(client.receive(packet, now), "refused: " + str(packet))
		client.advance(now)
		if client.request(now) != null:
			asked.append(frame)
		if not shown.has(frame):
			continue
		var agents: Array = client.agents()
		_check(agents.size() == shown[frame].size(), "agents in frame %d" % frame)
		for number in range(min(agents.size(), shown[frame].size())):
			var off: float = _compare(agents[number], shown[frame][number], frame, header)
			farthest = max(farthest, off)
			compared += 1
	_check(asked == asks, "asked in frames " + str(asked))
	print(compared, " places, off by %.7f at most" % farthest)


func _compare(agent, expected: Dictionary, frame: int, header: Dictionary) -> float:
	var where: String = "agent %d in frame %d" % [agent.id, frame]
	_check(agent.id == int(expected["id"]), where + ": another id")
	var at: Vector3 = ChaseClient.Follower.to_vector(expected["at"])
	var off: float = agent.follower.position.distance_to(at)
	_check(off <= header["tolerance"], where + ": off by %f" % off)
	var facing: Vector3 = ChaseClient.Follower.to_vector(expected["facing"])
	var turn: float = agent.follower.facing.distance_to(facing)
	# Two degrees: near a standstill a step is a few units in the last of 32 bits.
	_check(turn <= 0.035, where + ": turned by %f" % turn)
	_check(agent.follower.state == expected["state"], where + ": " + agent.follower.state)
	return off


# Each change makes nonsense of a packet.
func _refuse() -> void:
	var good: String = (
		'{"version":2,"sequence":1,"tick":9,"updates":[{"path":{"id":7,"tick":9,"speed":4.0,'
		+ '"chases":null,"reach":1.0,"nav_path":[[0.0,0.0,0.0],[4.0,0.0,0.0]],'
		+ '"arrivals":[0,20],"jumps":[1],"links":[]}}]}'
	)
	var changes: Array = [
		['"version":2', '"version":3'],
		['"sequence":1', '"sequence":-1'],
		['"tick":9,"updates"', '"updates"'],
		["path", "march"],
		['"speed":4.0', '"speed":-4.0'],
		["[4.0,0.0,0.0]", "[4.0,0.0]"],
		["[0,20]", "[0]"],
		["[0,20]", "[1,20]"],
		['"jumps":[1]', '"jumps":[2]'],
		['"reach":1.0', '"reach":"far"'],
	]
	_check(ChaseClient.new().receive(_loader.parse(good), 0.0), "a good packet")
	for change in changes:
		var bad: String = good.replace(change[0], change[1])
		var taken: bool = ChaseClient.new().receive(_loader.parse(bad), 0.0)
		_check(bad != good and not taken, "taken: " + bad)


func _export() -> void:
	var map: String = MapText.write(Vector3(-3.75, 0.25, 9.75), 0.5, 10, 8, Scene.new())
	_check(map == _fixture("scene.bitmap"), "another map:\n" + map)
	_check(MapText.number(-0.1) == "-0.1" and MapText.number(100.0) == "100", "numbers")
	_check(MapText.write(Vector3(), 1.0, 0, 8, Scene.new()) == "", "a map without columns")
