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
    let (ticks, _) = pack.run_in_zones(z.0, z.1);
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
    for y in p.y - 12..p.y + 13 {
        let mut row = String::new();
        if y == 64 {
            println!("--");
        }
        for x in p.x - 16..p.x + 17 {
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
