import { Octree } from '../node_modules/scene-octree/dist/core.js';
import { queryCrowd } from './crowd.js';

postMessage(queryCrowd(Octree));
