// What users of other libraries look for, and the words of this one. A pattern is matched with the whole question; the
// first that fits counts.

export const SYNONYMS: readonly (readonly [pattern: RegExp, words: readonly string[]])[] = [
  [/fog of war|field of view|who sees/, ['line of sight', 'castRays']],
  [/line of sight|\blos\b/, ['line of sight', 'castRays']],
  [/fast bullet|tunnel|bullet|swept|sweep|continuous/, ['fast bullet', 'castSphere', 'shape casts']],
  [/not (drawn|shown|visible|rendered)|invisible|missing|disappear|vanish|flicker/, ['not drawn', 'troubleshooting']],
  [/draw ?calls?|batch|merge/, ['draw calls', 'StaticBatches']],
  [/collision|collide|overlap/, ['contacts', 'trackContacts', 'pairs']],
  [/physics|rapier|cannon|ammo/, ['contacts', 'shape casts', 'moving bodies']],
  [/trigger|sensor|zone|region enter/, ['trigger zones', 'sensors', 'watch']],
  [/\blods?\b|levels? of detail|impostor/, ['levels of detail', 'addLevel']],
  [/transparen|opacity|glass|alpha/, ['drawing order', 'transparent']],
  [/\bwind\b|sway|grass|vertex shader|displace/, ['wind', 'moving vertices', 'moves vertices']],
  [/\bsav(e|ing)\b|load|serial|persist|json|undo/, ['save', 'saving', 'editor']],
  [/occlu|behind walls?|hidden/, ['behind walls', 'OcclusionCulling']],
  [/hover|click|select|mouse|pointer|touch/, ['picking', 'pick']],
  [/multiplayer|node\.?js|server|worker/, ['server', 'servers and workers']],
  [/gltf|glb|model/, ['glTF model', 'addTree']],
  [/r3f|fiber|drei|next\.?js/, ['React', 'react-three-fiber']],
  [/bvh|migrat|instead of|upgrade/, ['migrating']],
];
