//! The table of a chase: each event from each state.

use super::*;

type Pair = Chase<Box<PathCursor>, Box<NavTimer>>;

const HALF: Period = Period::from_millis(500);
const NOW: NavTime = NavTime(1 << 34);
const HERE: Cell = Cell::new(1, 1);

fn place() -> CellPosition {
    CellPosition::new(9, 1)
}

/// Waypoints from 2,1 on to the right.
fn path(length: u16) -> Path {
    (2..2 + length).map(|x| Cell::new(x, 1)).collect()
}

/// Gives the answer of a search to a chase.
fn answer(chase: &mut Pair, found: Option<u16>, keeps_path: bool, end: SearchEnd) {
    let mut found = found.map(path);
    chase.apply(Event::Answered(Answer {
        place: place(),
        from: HERE,
        path: found.as_mut(),
        keeps_path,
        end,
        from_when: NOW,
        interval: HALF,
        awaits_change: true,
    }));
}

fn joins(is_far: bool) -> Event<'static> {
    Event::Joins {
        place: place(),
        is_far,
    }
}

/// A chase in a state of the table.
fn chase_in(state: &str) -> Pair {
    let events: &[&str] = match state {
        "idle" => &[],
        "wait" => &["found nothing"],
        "queue" => &["awaits field"],
        "path" => &["found"],
        "detour" => &["found, kept"],
        "near" => &["joins near"],
        "far" => &["joins far"],
        "beside" => &["beside"],
        "rest" => &["rests"],
        "rest+path" => &["found", "rests"],
        other => panic!("no state is called {other}"),
    };
    let mut chase = Chase::of(Box::default(), Box::default());
    for event in events {
        happen(&mut chase, event);
    }
    assert_eq!(name(&chase), state);
    chase
}

fn name(chase: &Pair) -> &'static str {
    let cursor = &chase.cursor;
    match (cursor.state(), cursor.guidance()) {
        (ChaseState::Idle, _) => "idle",
        (ChaseState::Waiting, _) => "wait",
        (ChaseState::Queued, _) => "queue",
        (ChaseState::Reached, _) if cursor.is_beside() => "beside",
        (ChaseState::Reached, _) if cursor.path().is_empty() => "rest",
        (ChaseState::Reached, _) => "rest+path",
        (_, Some(Guidance::OwnPath)) => "path",
        (_, Some(Guidance::Detour)) => "detour",
        (_, Some(Guidance::SharedField)) => "near",
        (_, Some(Guidance::FarField)) => "far",
        (ChaseState::Following, None) => "nothing",
    }
}

/// The state that each event makes of each state.
const TABLE: &str = "
                 idle      wait      queue     path      detour    near      far       beside    rest      rest+path
interrupted      idle      idle      idle      idle      idle      idle      idle      idle      idle      idle
begun            idle      idle      idle      idle      idle      idle      idle      idle      idle      idle
under            rest      rest      rest      rest      rest      rest      rest      rest      rest      rest
beside           beside    beside    beside    beside    beside    beside    beside    beside    beside    beside
rests            rest      rest      rest      rest+path rest+path rest      rest      rest      rest      rest+path
left reach       idle      wait      queue     path      detour    near      far       near      rest      rest+path
apart            idle      wait      queue     path      detour    wait      wait      wait      wait      path
joins near       near      near      near      near      near      near      near      near      near      near
joins far        far       far       far       far       far       far       far       far       far       far
walked on        path      path      path      path      path      path      path      path      path      path
awaits field     queue     queue     queue     path      detour    near      far       beside    queue     rest+path
lost way         idle      wait      queue     wait      wait      wait      wait      wait      rest      rest
led onto target  idle      wait      queue     wait      wait      wait      wait      wait      rest      rest
delayed          queue     queue     queue     path      detour    queue     queue     queue     queue     rest+path
delayed past     idle      wait      queue     path      detour    near      far       beside    rest      rest+path
found            path      path      path      path      path      path      path      path      path      path
found, kept      detour    detour    detour    detour    detour    detour    detour    detour    detour    detour
found nothing    wait      wait      wait      path      path      wait      wait      wait      wait      path
refused          idle      wait      queue     path      detour    near      far       beside    rest      rest+path
refused for good wait      wait      wait      path      path      wait      wait      wait      wait      path
looked past      detour    detour    detour    detour    detour    detour    detour    detour    detour    detour
saw no way past  idle      wait      queue     path      detour    near      far       beside    rest      rest+path
saw no place     idle      wait      queue     path      wait      near      far       beside    rest      rest+path
stepped on       idle      wait      queue     path      detour    near      far       beside    rest      path
stepped to end   idle      wait      queue     wait      wait      near      far       beside    rest      wait
stepped off      idle      wait      queue     wait      detour    near      far       beside    rest      rest
path cut         idle      wait      queue     wait      wait      wait      wait      wait      rest      rest
";

/// Carries out an event of the table.
fn happen(chase: &mut Pair, event: &str) {
    let (now, interval) = (NOW, HALF);
    let mut found = path(3);
    let refused = |for_good| Event::Refused {
        now,
        interval,
        for_good,
    };
    let mut walk = |steps: u16| {
        for x in 2..2 + steps {
            let (from, to) = (Cell::new(x - 1, 1), Cell::new(x, 1));
            chase.apply(Event::Stepped { from, to });
        }
    };
    let event = match event {
        "interrupted" => Event::Interrupted,
        "begun" => Event::Begun,
        "under" => Event::Under(place()),
        "beside" => Event::Beside(None),
        "rests" => Event::Rests(None),
        "left reach" => Event::LeftReach,
        "apart" => Event::Apart,
        "joins near" => joins(false),
        "joins far" => joins(true),
        "walked on" => Event::WalkedOn(place()),
        "awaits field" => Event::AwaitsField,
        "lost way" => Event::LostWay,
        "led onto target" => Event::LedOntoTarget { now, interval },
        "delayed" => Event::Delayed(delay(false)),
        "delayed past" => Event::Delayed(delay(true)),
        "found" => return answer(chase, Some(3), false, SearchEnd::Led),
        "found, kept" => return answer(chase, Some(3), true, SearchEnd::Led),
        "found nothing" => return answer(chase, None, false, SearchEnd::Failed),
        "refused" => refused(None),
        "refused for good" => refused(Some((place(), HERE))),
        "looked past" => look_past(Some((place(), &mut found)), true),
        "saw no way past" => look_past(None, true),
        "saw no place" => look_past(None, false),
        "stepped on" => return walk(1),
        "stepped to end" => return walk(3),
        "stepped off" => Event::Stepped {
            from: HERE,
            to: Cell::new(1, 2),
        },
        "path cut" => Event::PathCut,
        other => panic!("no event is called {other}"),
    };
    chase.apply(event);
}

const fn delay(is_past: bool) -> Delay {
    Delay {
        since: NOW,
        looks_beyond: true,
        is_past,
        is_queued: true,
    }
}

const fn look_past(found: Option<(CellPosition, &mut Path)>, has_place: bool) -> Event<'_> {
    Event::LookedPast {
        found,
        has_place,
        now: NOW,
        interval: HALF,
        looks: 2,
    }
}

#[test]
fn every_event_from_every_state() {
    let mut lines = TABLE.lines().skip(1);
    let names = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let states = names(lines.next().expect("a line of states"));
    for line in lines {
        let (event, after) = line.split_at(17);
        let event = event.trim_end();
        let made = states.iter().map(|state| {
            let mut chase = chase_in(state);
            happen(&mut chase, event);
            name(&chase).to_owned()
        });
        assert_eq!(made.collect::<Vec<_>>(), names(after), "{event}");
    }
}

/// Only the events of a move tick say whether a chaser stands.
#[test]
fn steps_end_a_stand() {
    let mut chase = chase_in("path");
    chase.apply(Event::Stood);
    for event in ["found", "rests", "apart", "joins near", "interrupted"] {
        happen(&mut chase, event);
        assert!(chase.cursor.stands(), "{event}");
    }
    happen(&mut chase, "stepped off");
    assert!(!chase.cursor.stands());
}

#[test]
fn arrivals_count_once() {
    let mut chase = chase_in("wait");
    assert_eq!(chase.timer.failures(), 1);
    assert!(chase.apply(Event::Rests(None)));
    assert_eq!(chase.timer.failures(), 0);
    for event in [
        Event::Rests(None),
        Event::Beside(None),
        Event::Under(place()),
    ] {
        assert!(!chase.apply(event));
    }
    chase.apply(Event::Apart);
    assert!(chase.apply(Event::Beside(None)));
}

/// How long a chaser waits after each end of a search, in intervals, and its failures by then.
#[test]
fn waits_after_each_end() {
    for (end, before, waits, failures) in [
        (SearchEnd::Led, 3, 1, 0),
        (SearchEnd::CameNearer, 3, 1, 1),
        (SearchEnd::Failed, 0, 1, 1),
        (SearchEnd::Failed, 2, 4, 3),
        (SearchEnd::Failed, 9, 8, 10),
        (SearchEnd::Refused, 0, 1, 1),
        (SearchEnd::Refused, 3, 1, 3),
    ] {
        let mut chase = chase_in("path");
        chase.timer.set_failures(before);
        answer(&mut chase, None, false, end);
        let next = (0..waits).fold(NOW, |next, _| next.after(HALF));
        assert!(next.0 - chase.timer.next_search().0 < 1 << 15, "{end:?}");
        assert_eq!(chase.timer.failures(), failures, "{end:?}");
    }
}

/// The chases that wait for a change, and the ends of that.
#[test]
fn changes_that_are_awaited() {
    let awaits = |chase: &Pair| chase.timer.awaits_change(HERE, NOW);
    let waiting = || {
        let chase = chase_in("wait");
        assert!(awaits(&chase) && !chase.timer.awaits_change(Cell::new(1, 2), NOW));
        chase
    };
    assert!(!awaits(&chase_in("path")));
    let with_path = {
        let mut chase = chase_in("path");
        happen(&mut chase, "found nothing");
        chase
    };
    assert!(!awaits(&with_path));
    let mut chase = waiting();
    chase.apply(Event::Tuned);
    assert!(!awaits(&chase));
    let (mut chase, soon) = (waiting(), NavTime(NOW.0 - (1 << 20)));
    chase.apply(Event::MayLead { at: soon });
    assert!(!awaits(&chase) && chase.timer.next_search() == soon);
    let mut chase = waiting();
    happen(&mut chase, "found");
    assert!(!awaits(&chase));
    let mut chase = chase_in("idle");
    happen(&mut chase, "refused for good");
    assert!(awaits(&chase));
}

#[test]
fn turns_and_edits() {
    let mut chase = chase_in("path");
    chase.apply(Event::Delayed(delay(false)));
    assert!(chase.timer.waits_for_turn(NOW) && chase.timer.looks_beyond());
    chase.apply(Event::Called);
    assert!(!chase.timer.waits_for_turn(NOW) && chase.timer.looks_beyond());
    happen(&mut chase, "found");
    assert!(!chase.timer.looks_beyond());
    // An edit on a way round waits for the interval; a new index that may lead nearer does not.
    let next = chase.timer.next_search();
    for (leads_nearer, expected) in [(false, next), (true, NOW)] {
        chase.apply(Event::MayBeShorter {
            at: NOW,
            leads_nearer,
        });
        assert!(chase.timer.may_be_shorter());
        assert_eq!(chase.timer.next_search(), expected);
    }
    chase.apply(Event::Asks);
    assert!(!chase.timer.may_be_shorter());
}
