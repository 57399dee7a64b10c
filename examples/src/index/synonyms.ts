// What users of other libraries look for, and the words of this one. A pattern is matched with the whole question; the
// first that fits counts.

type Row = readonly [pattern: RegExp, words: readonly string[]];

const ROWS: readonly Row[] = [
  [
    /is not a function|no (exported )?member|no export|does not exist/,
    ['names that differ here', 'an error of a tool'],
  ],
  [
    /(cop(y|ies)|instances|versions) of three|dedupe|not an? instance|instanceof/,
    ['multiple instances of three', 'an error of a tool'],
  ],
  [/three-mesh-bvh|bounding volume|bvh\b/, ['from three-mesh-bvh', 'migrating']],
  [
    /getting started|quick ?start|tutorial|hello world|beginner|first steps/,
    ['getting started in five minutes', 'the whole file'],
  ],
  [/fog of war|field of view|sees?\b|visibility/, ['line of sight', 'castRays']],
  [/line of sight|los\b/, ['line of sight', 'castRays']],
  [/fast bullet|tunnel|bullet|swept|sweep|continuous/, ['a fast bullet', 'castSphere', 'shape casts']],
  [/flicker|pop(s|ping)?\b|blink/, ['at its old place, or flickering', 'levels of detail', 'not drawn']],
  [
    /stale|not (updat|mov)|does(n.t| not) (move|update)|old (place|position)|frozen|stuck/,
    ['at its old place, or flickering', 'when a change is found', 'reportMove'],
  ],
  [
    /not (drawn|shown|visible|rendered)|invisible|missing|disappear|vanish|black screen|blank|nothing (is )?(drawn|shown)/,
    ['not drawn', 'troubleshooting'],
  ],
  [/draw ?calls?|batch(es|ing|ed ?mesh)?\b|merg(e|ing)/, ['draw calls', 'StaticBatches']],
  [/rapier|cannon|ammo|vue|svelte|next\.?js|drei/, ['drei, Next.js, Vue, Svelte, Rapier']],
  [
    /character|walk|capsule|platform|elevator|stairs|first.person|gravity|ground|jump/,
    ['walking and collisions', 'Fair', 'intersectTriangles'],
  ],
  [/collision|collide|overlap/, ['walking and collisions', 'contacts', 'trackContacts', 'pairs']],
  [/physics/, ['Rapier', 'contacts', 'shape casts', 'moving bodies']],
  [/trigger|sensor|zone|region enter/, ['trigger zones', 'sensors', 'watch']],
  [/lods?\b|levels? of detail|impostor/, ['levels of detail', 'addLevel']],
  [/(pick|click|ray|select).*(transparent|glass|alpha)/, ['nothing under the pointer', 'picking']],
  [/transparen|opacity|glass|alpha/, ['drawing order', 'transparent']],
  [/wind\b|sway|grass|vertex shader|displace|water/, ['wind', 'moving vertices', 'moves vertices']],
  [/load.*(gltf|glb|model)|gltf|glb|model/, ['model viewer', 'glTF model', 'addTree']],
  [/sav(e|ing)\b|load|(de)?serial|persist|json/, ['saving and loading', 'save', 'editor']],
  [/undo|redo|gizmo|transform ?controls|outline/, ['undo', 'editor']],
  [/occlu|behind walls?|hidden/, ['occlusion culling', 'behind walls', 'OcclusionCulling']],
  [/lasso|rectangle|marquee|box select|selection ?box|select (multiple|many|several)/, ['rectangle', 'pickWithin']],
  [
    /(pick|click|select|hover|ray).*instan|instan.*(pick|click)/,
    ['adding, moving, colours, hiding', 'picking', 'PickedObject'],
  ],
  [/(ray|pick|click|hover).*slow|slow.*(ray|pick|click|hover)/, ["three's Raycaster", 'picking']],
  [/raycast|rays?\b/, ["with three's raycaster", 'picking', 'intersectRay']],
  [/broad ?phase/, ['contacts', 'everyone near everyone', 'pairs']],
  [/hover|(on|dbl)?click|select|mouse|pointer|touch|tap\b/, ['picking', 'pick']],
  [/web ?worker|workers?\b/, ['in a web worker', 'servers and workers', 'worker']],
  [/multiplayer|node\.?js|server|websocket/, ['server', 'servers and workers']],
  [/r3f|fiber/, ['React', 'react-three-fiber']],
  [/instanced|instances|instancing|copies/, ['many copies of one mesh', 'OctreeInstances', 'instances']],
  [/delet|remov|destroy/, ['group.remove(mesh)', 'removing and disposing', 'removing']],
  [/leak|memory grows|dispos|free(d|s|ing)?\b|heap/, ['memory grows', 'removing and disposing', 'memory']],
  [
    /fps\b|slow|perf(orman(ce|t))?\b|frame ?rate|lag|stutter|jank|optimi[sz]|mobile|phone|android|ios\b/,
    ['slow, or no faster', 'few draw calls', 'culling a big scene'],
  ],
  [
    /jitter|trembl|shak(e|ing)|precision|far from (the )?origin|floating origin|planet/,
    ['precision far from 0', 'floating origin'],
  ],
  [/[vax]r\b|headset|quest\b/, ['XR', 'headsets']],
  [/post-?process|effect ?composer|bloom/, ['post-processing', 'addons of three', 'clears the depth']],
  [
    /near(est|by)?\b|closest|neighbou?r|knn|k-nearest|distance|radius|proximity/,
    ['who is near whom', 'nearest', 'near a point'],
  ],
  [/(cast|receive)?shadow|csm|cascade/, ['shadows and several cameras', 'shadow updates', 'shadow maps']],
  [/mirror|reflect|minimap|split ?screen|viewport/, ['mirrors, probes, minimaps']],
  [/skin|bones?\b|rig\b|character anim/, ['skinned meshes', 'PoseBounds']],
  [/drag|editor/, ['an editor', 'editor']],
  [/colou?r|tint|paint|highlight/, ['show what was found', 'adding, moving, colours, hiding', 'highlight']],
  [/hid(e|ing)|visible/, ['show what was found', 'adding, moving, colours, hiding', 'not drawn']],
  [/layers?\b|mask|categor/, ['categories', 'layers']],
  [/anima|mixer|door|moving part/, ['animated and moving parts', 'setStatic']],
  [
    /mov(e|es|ed|ing)\b|update (the )?(position|matri)|position/,
    ['children that move, and children that do not', 'animated and moving parts', 'moving bodies'],
  ],
  [/static|dynamic/, ['static', 'children that move, and children that do not']],
  [/frustum|cull/, ['culling a big scene', 'OctreeGroup']],
  [
    /terrain|tiles?\b|chunk|stream|open world|infinite|(large|big|huge) (scene|model|file)/,
    ['large worlds', 'larger than memory', 'culling a big scene', 'floating origin'],
  ],
  [/point ?cloud|points\b|particles?|lidar/, ['point clouds and particles', 'point cloud']],
  [/warning|console/, ['warnings and errors while rendering', 'troubleshooting']],
  [/debug draw|show (the )?(cells|octree)|visuali[sz]e/, ['OctreeHelper', 'see what it does']],
  [/debug|why|wrong|error/, ['troubleshooting', 'explain', 'warnings and errors while rendering']],
  [/install|npm\b|version/, ['1. install', 'an error of a tool']],
  [
    /typescript|types|imports?\b|cdn|unpkg|bundler|jest|vite|webpack|rollup|require\b|esm\b|commonjs|module/,
    ['tools', '1. install', 'an error of a tool'],
  ],
  [/size|bundle|\d*kb\b/, ['sizes']],
  [/bvh|migrat|instead of|upgrade|alternative|vs\b|compar/, ['migrating']],
  // The words before it say more, as in "click not working".
  [/not work/, ['not drawn', 'troubleshooting']],
];

/** Each alternative of a pattern, and what follows a gap in it, begins with a word: "free" is not in "carefree". */
export const SYNONYMS: readonly Row[] = ROWS.map(([{ source }, words]) => [
  new RegExp(`\\b(?:${source.replaceAll('.*', '.*\\b')})`),
  words,
]);
