import { Octree } from '../node_modules/scene-octree/dist/core.js';
import { queryCrowd } from './crowd.js';

const worker = new Worker('./worker.js', { type: 'module' });
worker.onerror = ({ message }) => (window.result = { error: message });
worker.onmessage = ({ data }) => (window.result = { page: queryCrowd(Octree), worker: data });
