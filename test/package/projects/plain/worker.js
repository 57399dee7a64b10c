import { Octree } from '../node_modules/scene-octree/dist/core.js';
import { moveCrowd, queryCrowd } from './crowd.js';

postMessage({ ...queryCrowd(Octree), moves: await moveCrowd(Octree) });
