mod packs;
use packs::Pack;
#[test]
fn dbg() {
    let seed: u64 = std::env::var("S").unwrap().parse().unwrap();
    let z = if std::env::var("Z").as_deref() == Ok("2") {
        (2, 1)
    } else {
        (2, 2)
    };
    let pack = Pack::drawn(seed);
    let ticks = if std::env::var("Z").as_deref() == Ok("1") {
        pack.run_alone()
    } else {
        pack.run_in_zones(z.0, z.1).0
    };
    let n = ticks.len();
    let mut movers = std::collections::BTreeMap::new();
    for w in ticks[n - 100..].windows(2) {
        for (a, b) in w[0].iter().zip(&w[1]) {
            if a.cell != b.cell {
                movers
                    .entry(a.agent)
                    .or_insert_with(Vec::new)
                    .push((b.cell.x, b.cell.y, b.zone.0));
            }
        }
    }
    for (a, m) in &movers {
        let s = ticks[n - 1].iter().find(|s| s.agent == *a).unwrap();
        println!(
            "{a:?} {:?} target {} {m:?}",
            s.body,
            pack.chasers[a.0 as usize - 1 - pack.players.len()].1
        );
    }
    println!("{:?}", pack.last_places());
    let last = &ticks[n - 1];
    let p = pack.last_places()[std::env::var("P").map_or(0, |p| p.parse().unwrap())];
    let (w, h) = (26, 24);
    for y in p.y.saturating_sub(h)..p.y + h {
        let mut row = String::new();
        if y == 64 {
            println!("--");
        }
        for x in p.x.saturating_sub(w)..p.x + w {
            if x == 64 {
                row.push('|');
            }
            let cell = nav_grid::Cell::new(x, y);
            let c = if let Some(i) = pack.last_places().iter().position(|p| *p == cell) {
                (b'0' + i as u8) as char
            } else if let Some(s) = last
                .iter()
                .find(|s| s.body.footprint.area(s.cell).contains(cell))
            {
                let t = pack.chasers[s.agent.0 as usize - 1 - pack.players.len()].1;
                let c = (b'a' + (s.agent.0 % 26) as u8) as char;
                let _ = t;
                if s.is_reached {
                    c.to_ascii_uppercase()
                } else {
                    c
                }
            } else if !pack.grid.is_walkable(cell) {
                '#'
            } else {
                '.'
            };
            row.push(c);
        }
        println!("{row}");
    }
}
#[test]
fn far() {
    let seed: u64 = std::env::var("S").unwrap().parse().unwrap();
    let pack = Pack::drawn(seed);
    let targets = pack.last_places();
    for z in [(1, 1), (2, 1), (2, 2)] {
        let ticks = if z == (1, 1) {
            pack.run_alone()
        } else {
            pack.run_in_zones(z.0, z.1).0
        };
        let last = ticks.last().unwrap();
        let mut by = std::collections::BTreeMap::new();
        for s in last {
            let t = pack.player_of(s.agent);
            let away = targets[t].chebyshev(s.cell);
            let e = by.entry(t).or_insert((0, 0, 0, 0));
            if s.is_reached {
                e.0 += 1
            } else if away <= 10 {
                e.1 += 1
            } else if away <= 20 {
                e.2 += 1
            } else {
                e.3 += 1
            }
        }
        println!("{z:?} {by:?}");
    }
}
#[test]
fn sums() {
    let n = |name: &str, d: u64| std::env::var(name).map_or(d, |v| v.parse().unwrap());
    let mut sums = [0; 3];
    for seed in n("F", 0)..n("F", 0) + n("N", 40) {
        let pack = Pack::drawn(seed);
        let mut row = [0; 3];
        for (i, z) in [(1, 1), (2, 1), (2, 2)].into_iter().enumerate() {
            let ticks = if z == (1, 1) {
                pack.run_alone()
            } else {
                pack.run_in_zones(z.0, z.1).0
            };
            let last = ticks.last().unwrap();
            row[i] = last.iter().filter(|s| s.is_reached).count();
            sums[i] += row[i];
        }
        if row[1] != row[0] || row[2] != row[0] {
            println!("seed {seed} {row:?} of {}", pack.chasers.len());
        }
    }
    println!("(sums) {sums:?}");
}
#[test]
fn rings() {
    let n = |name: &str, d: u64| std::env::var(name).map_or(d, |v| v.parse().unwrap());
    let mut sums = [0; 4];
    for seed in n("F", 0)..n("F", 0) + n("N", 40) {
        let pack = Pack::drawn(seed);
        let mut row = [0; 4];
        for (i, z) in [(1, 1), (2, 1), (2, 2)].into_iter().enumerate() {
            let ticks = if z == (1, 1) {
                pack.run_alone()
            } else {
                pack.run_in_zones(z.0, z.1).0
            };
            let last = ticks.last().unwrap();
            for (p, t) in pack.last_places().into_iter().enumerate() {
                for way in nav_grid::Direction::ALL {
                    let Some(c) = t.step(way) else { continue };
                    if !pack.grid.is_walkable(c) {
                        continue;
                    }
                    if i == 0 {
                        row[3] += 1;
                    }
                    if last.iter().any(|s| {
                        s.is_reached
                            && pack.player_of(s.agent) == p
                            && s.body.footprint.area(s.cell).contains(c)
                    }) {
                        row[i] += 1;
                    }
                }
            }
        }
        for i in 0..4 {
            sums[i] += row[i];
        }
        if row[1] != row[0] || row[2] != row[0] {
            println!("seed {seed} {row:?} of {}", pack.chasers.len());
        }
    }
    println!("(sums) {sums:?}");
}
#[test]
fn who() {
    let n = |name: &str| std::env::var(name).unwrap().parse::<u64>().unwrap();
    let pack = Pack::drawn(n("S"));
    let ticks = pack.run_in_zones(2, if n("Z") == 2 { 1 } else { 2 }).0;
    let at = nav_grid::Cell::new(n("X") as u16, n("Y") as u16);
    for s in ticks.last().unwrap() {
        if s.body.footprint.area(s.cell).contains(at) {
            println!(
                "(who) {s:?} player {} {:?}",
                pack.player_of(s.agent),
                pack.players.iter().map(|p| p.1).collect::<Vec<_>>()
            );
        }
    }
}
