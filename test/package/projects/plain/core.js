import { Octree } from '../node_modules/scene-octree/dist/core.js';
import { moveCrowd, queryCrowd } from './crowd.js';

const worker = new Worker('./worker.js', { type: 'module' });
worker.onerror = ({ message }) => (window.result = { error: message });
worker.onmessage = async ({ data }) =>
  (window.result = { page: queryCrowd(Octree), worker: data, moves: await moveCrowd(Octree) });
