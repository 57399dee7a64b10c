// A scene that is ready to draw: the pair of a Group and an OctreeGroup, its light, the path of the measuring camera,
// and the lines of the octree.

import { Scene, type Texture, type WebGLRenderer } from 'three';
import { OctreeHelper } from '../../../src/three.ts';
import type { TaskContext } from '../shared/task.ts';
import { CameraPath } from './camera-path.ts';
import { createSurroundings, light } from './lighting.ts';
import type { LoadedScene } from './load-scene.ts';
import { pairScene, type ScenePair } from './scene-pair.ts';
import { MIN_DEPTH, type Settings } from './settings.ts';
import { warmUp } from './warm-up.ts';

const HELPER_OPACITY = 0.6;

export class ShownScene {
  readonly pair: ScenePair;
  /** Contains the OctreeGroup. */
  readonly scene: Scene;
  readonly path: CameraPath;
  readonly helper: OctreeHelper;

  constructor(pair: ScenePair, scene: Scene, path: CameraPath, settings: Settings) {
    this.pair = pair;
    this.scene = scene;
    this.path = path;
    this.helper = new OctreeHelper(pair.culled.octree, helperOptions(settings));
    this.helper.material.opacity = HELPER_OPACITY;
    this.attach();
  }

  /** Applies the settings of the lines. Returns the number of boxes that are drawn. */
  showOctree(settings: Settings): number {
    const { helper } = this;
    Object.assign(helper, helperOptions(settings), { visible: settings.octree });
    if (settings.octree) helper.update();
    return settings.octree ? helper.boxCount : 0;
  }

  /** Adds the OctreeGroup and its lines to the scene. */
  attach(): void {
    this.scene.add(this.pair.culled, this.helper);
  }

  /** Leaves the light alone in the scene, for a measurement. */
  detach(): void {
    this.scene.remove(this.pair.culled, this.helper);
  }

  dispose(): void {
    this.helper.dispose();
    this.pair.dispose();
  }
}

const helperOptions = ({ outline, depth }: Settings) => ({
  outline,
  minDepth: Math.min(MIN_DEPTH, depth),
  maxDepth: depth,
});

/** Prepares loaded scenes for drawing. */
export class ScenePreparer {
  private readonly renderer: WebGLRenderer;
  private readonly settings: Settings;
  /** Created for the first scene that needs them. */
  private surroundings: Texture | null = null;

  constructor(renderer: WebGLRenderer, settings: Settings) {
    this.renderer = renderer;
    this.settings = settings;
  }

  async prepare(loaded: LoadedScene, context: TaskContext): Promise<ShownScene> {
    const { renderer, settings } = this;
    const pair = await context.slices(pairScene(loaded, !(settings.plays && loaded.animations.length > 0)), 0.6, 0.85);
    try {
      const [scene, warming] = [new Scene(), new Scene()];
      if (loaded.hasMetals) this.surroundings ??= await context.unlessCancelled(createSurroundings(renderer));
      for (const one of [scene, warming]) {
        light(one, pair.counts.lights > 0);
        one.environment = loaded.hasMetals ? this.surroundings : null;
        one.environmentIntensity = 0.7;
      }
      const path = new CameraPath(pair.bounds, pair.sphere);
      await warmUp(renderer, warming, path.place('outside', 0), pair, context, 0.85);
      warming.remove(pair.plain);
      return new ShownScene(pair, scene, path, settings);
    } catch (error) {
      pair.dispose();
      throw error;
    }
  }
}
