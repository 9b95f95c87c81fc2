//! Temporary.
use nav_grid::Cell;
use nav_tests::{TestWorld, apart::Bodies};
#[test]
fn ring() {
    let mut bodies = Bodies::on(TestWorld::open(60, 60));
    let target = bodies.world.target((30, 30));
    let mut ground = (0..30).flat_map(|y| (0..30).map(move |x| (15 + x, 15 + y)));
    let cells: Vec<(u16, u16)> = ground.by_ref().filter(|&(x, y): &(u16, u16)| x.abs_diff(30).max(y.abs_diff(30)) > 6).take(200).collect();
    for at in cells { bodies.solid(at, target); }
    for n in 0..40 {
        let before = bodies.world.diagnostics().total;
        bodies.tick(20);
        let after = bodies.world.diagnostics().total;
        println!("{n} s: steps {} searches {} found {} unreachable {} toofar {} fields {} expanded {}", after.steps-before.steps, after.searches()-before.searches(), after.found-before.found, after.unreachable-before.unreachable, after.too_far-before.too_far, after.fields-before.fields, after.expanded-before.expanded);
    }
}
#[test]
fn leader() {
        let mut bodies = Bodies::on(TestWorld::on(nav_grid::Grid::open(40, 21).unwrap()));
        let idle = bodies.world.target((20,10));
        bodies.world.insert(idle, nav::Body::default());
        let end = bodies.world.target((30, 10));
        bodies.world.insert(end, nav::Destination);
        let leader = bodies.solid((12, 10), end);
        let mut chases = vec![(leader, end)];
        for n in 0..8 { chases.push((bodies.solid((8 + n % 3, 8 + n / 3), leader), leader)); }
        for n in 0..60 {
            bodies.tick(10);
            let t: Vec<String> = chases.iter().map(|(c,_)| format!("{} {:?}{:?} w{}", bodies.world.cell(*c), bodies.world.cursor(*c).state(), bodies.world.cursor(*c).guidance(), bodies.world.get::<nav::Crowding>(*c).waits)).collect();
            if n % 4 == 0 { println!("{n}: {}", t.join(" | ")); }
        }
        let _ = Cell::new(0,0);
}
#[test]
fn corridor() {
    let mut bodies = crate::solid::corridor_bodies(0);
    for n in 0..60 {
        bodies.tick(100);
        let far = bodies.agents.iter().filter(|&&a| bodies.world.cursor(a).state() != nav::ChaseState::Reached).count();
        let mut w = [0; 9]; let mut looks=[0;9]; let mut np=0; let mut det=0;
        for &a in &bodies.agents { let c = bodies.world.get::<nav::Crowding>(a); w[usize::from(c.waits.min(8))]+=1; looks[usize::from(c.looks.min(8))]+=1; np+=usize::from(c.no_place); det+=usize::from(bodies.world.cursor(a).guidance()==Some(nav::Guidance::Detour)); }
        if n % 4 == 0 { println!("{n} far {far} waits {w:?} looks {looks:?} no_place {np} detours {det} steps {}", bodies.world.diagnostics().total.steps); }
        if n == 20 { let cells=bodies.cells(); for y in 0..11 { let l: String=(0..70).map(|x| if cells.contains_key(&(0,y,x)) {'o'} else {'.'}).collect(); println!("{l}"); } }
    }
}
#[test]
fn leader5() {
        let mut bodies = Bodies::on(TestWorld::on(nav_grid::Grid::open(40, 21).unwrap()));
        for n in 0..5 { let idle = bodies.world.target((20,8+n)); bodies.world.insert(idle, nav::Body::default()); bodies.agents.push(idle); }
        let end = bodies.world.target((30, 10));
        bodies.world.insert(end, nav::Destination);
        let leader = bodies.solid((12, 10), end);
        let mut chases = vec![(leader, end)];
        for n in 0..8 { chases.push((bodies.solid((8 + n % 3, 8 + n / 3), leader), leader)); }
        for n in 0..30 {
            bodies.tick(10);
            let c = leader;
            println!("{n}: {} {:?}{:?} {:?}", bodies.world.cell(c), bodies.world.cursor(c).state(), bodies.world.cursor(c).guidance(), bodies.world.get::<nav::Crowding>(c));
        }
        let cells=bodies.cells(); for y in 4..18 { let l: String=(0..40).map(|x| if cells.contains_key(&(0,y,x)) {'o'} else {'.'}).collect(); println!("{l}"); }
}
#[test]
fn parts() {
    use nav_tests::drawn::Scene;
    for seed in [20, 43] { crate::arrive::saved::show_parts(seed); }
    let _ = Scene::new(1);
}
#[test]
fn row() {
    crate::behaviour::step_aside::show_row();
}

#[test]
fn state() {
    let seed = nav_tests::drawn::number_in("NAV_SEED").unwrap();
    let who = nav_tests::drawn::number_in("NAV_WHO").unwrap() as usize;
    let from = nav_tests::drawn::number_in("NAV_FROM").unwrap_or(0);
    let step = nav_tests::drawn::number_in("NAV_STEP").unwrap_or(10);
    let scene = nav_tests::drawn::Scene::new(seed);
    let mut stage = scene.stage();
    stage.world.tick(from);
    let c = stage.npcs[who];
    let npc = &scene.npcs[who];
    println!("target {} at {}, start {}, body {:?}", npc.target, stage.world.cell(stage.targets[npc.target]), npc.at, npc.body);
    for n in 0..40 { stage.world.tick(step); let world = stage.world.app.world(); println!("{n}: {} {:?} {:?} {:?} fails {} next {:?} move {:?} path {:?}", stage.world.cell(c), stage.world.cursor(c).state(), stage.world.cursor(c).guidance(), world.get::<nav::Crowding>(c), world.get::<nav::NavTimer>(c).unwrap().failures(), world.get::<nav::NavTimer>(c).unwrap().next_search().0/1_000_000, world.get::<nav::MoveTimer>(c).unwrap().next_step.0/1_000_000, stage.world.cursor(c).path().iter().collect::<Vec<_>>()); }
}
#[test]
fn all() {
    let seed = nav_tests::drawn::number_in("NAV_SEED").unwrap();
    let from = nav_tests::drawn::number_in("NAV_FROM").unwrap_or(0);
    let scene = nav_tests::drawn::Scene::new(seed);
    let mut stage = scene.stage();
    stage.world.tick(from);
    for (n, (&c, npc)) in stage.npcs.iter().zip(&scene.npcs).enumerate() { let world = stage.world.app.world(); println!("{n}: t{} {} s{} {:?} {:?} {:?} id {} fails {} next {:?} path {:?}", npc.target, stage.world.cell(c), npc.chaser.rules.footprint, stage.world.cursor(c).state(), stage.world.cursor(c).guidance(), world.get::<nav::Crowding>(c).map(|c| (c.waits, c.looks, c.stands, c.no_place)), world.get::<nav::AgentId>(c).unwrap().0, world.get::<nav::NavTimer>(c).unwrap().failures(), world.get::<nav::NavTimer>(c).unwrap().next_search().0/1_000_000, stage.world.cursor(c).path().iter().take(4).map(|c| (c.x,c.y)).collect::<Vec<_>>()); }
}
