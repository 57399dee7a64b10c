// What only WebGLRenderer draws: clipping planes, shader materials, fat lines, the Reflector and the EffectComposer of
// its addons.

import {
  AmbientLight,
  DirectionalLight,
  Group,
  Mesh,
  MeshLambertMaterial,
  Plane,
  PlaneGeometry,
  ShaderMaterial,
  Vector3,
  WebGLRenderTarget,
  type Material,
  type MeshBasicMaterial,
  type WebGLRenderer,
} from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { Reflector } from 'three/addons/objects/Reflector.js';
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js';
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js';
import { ShaderPass } from 'three/addons/postprocessing/ShaderPass.js';
import { surround } from './cameras.ts';
import { mesh, wallOutside } from './meshes.ts';
import { fatLines } from './objects.ts';
import { EDGE, type ExampleScene } from './stage.ts';

type WebGLScene = ExampleScene<WebGLRenderer>;

const lines: WebGLScene = fatLines(
  (geometry) => new Line2(geometry, new LineMaterial({ color: 0xffaa33, linewidth: 4 })),
);

const clipping: WebGLScene = {
  name: 'global and local clipping planes that move',
  build(stage) {
    const { renderer } = stage;
    const objects = surround(stage);
    const [global, local] = [new Plane(new Vector3(-1, 0, 0), 2), new Plane(new Vector3(0, -1, 0), 1)];
    renderer.clippingPlanes = [global];
    renderer.localClippingEnabled = true;
    for (const object of objects.slice(0, 8)) (object.material as Material).clippingPlanes = [local];
    return {
      move: (time) => {
        global.constant = 3 - 0.5 * time;
        local.constant = 0.3 * time;
        objects[0].position.x = 0.2 * time;
      },
      end: () => {
        renderer.clippingPlanes = [];
        renderer.localClippingEnabled = false;
      },
    };
  },
};

/** Shifts vertices by a number of units along x, on the GPU. */
function shift(material: MeshBasicMaterial): { value: number } {
  const amount = { value: 0 };
  material.onBeforeCompile = (shader) => {
    shader.uniforms.amount = amount;
    shader.vertexShader = `uniform float amount;\n${shader.vertexShader}`.replace(
      '#include <begin_vertex>',
      'vec3 transformed = position + vec3(amount, 0.0, 0.0);',
    );
  };
  return amount;
}

const shiftingShader = (amount: { value: number }): ShaderMaterial =>
  new ShaderMaterial({
    uniforms: { amount },
    vertexShader:
      'uniform float amount; void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position + vec3(amount, 0.0, 0.0), 1.0); }',
    fragmentShader: 'void main() { gl_FragColor = vec4(0.2, 0.8, 0.9, 1.0); }',
  });

const shaders: WebGLScene = {
  name: 'shaders that move vertices into the picture: onBeforeCompile, ShaderMaterial, customDepthMaterial',
  build({ add, scene }) {
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(5, 5, 2);
    light.castShadow = true;
    light.shadow.mapSize.set(64, 64);
    const floor = new Mesh(new PlaneGeometry(8, 8).rotateX(-1), new MeshLambertMaterial());
    floor.receiveShadow = true;
    scene.add(light, new AmbientLight(0xffffff, 0.5), floor.translateY(-3));
    const [compiled, shadered, caster] = [0xff5555, 0, 0xffff55].map((color, k) => wallOutside(color, k - 1));
    const amount = shift(compiled.material);
    Object.assign(shadered, { material: shiftingShader(amount) });
    caster.castShadow = true;
    caster.customDepthMaterial = shiftingShader(amount);
    add(mesh(0x55ff55), compiled, new Group().add(shadered), caster);
    return { move: (time) => (amount.value = time) };
  },
};

const overrides: WebGLScene = {
  name: 'scene.overrideMaterial that moves vertices into the picture',
  build({ add, scene }) {
    const amount = { value: 0 };
    const override = shiftingShader(amount);
    add(mesh(0xff5555, -2), wallOutside(0x55ff55, 1), new Group().add(wallOutside(0x5555ff, -1)));
    return {
      move: (time) => {
        amount.value = 0.7 * time;
        scene.overrideMaterial = time % 2 === 1 ? override : null;
      },
    };
  },
};

const reflector: WebGLScene = {
  name: 'a Reflector in the group',
  build(stage) {
    const objects = surround(stage);
    const mirror = new Reflector(new PlaneGeometry(20, 20), {
      textureWidth: EDGE,
      textureHeight: EDGE,
      multisample: 0,
    });
    stage.add(mirror.translateY(-3).rotateX(-Math.PI / 2));
    return {
      move: (time) => {
        objects[3].position.y = 0.4 * time;
        mirror.rotation.y = 0.05 * time;
      },
    };
  },
};

const composer: WebGLScene = {
  name: 'an EffectComposer',
  build(stage) {
    const { renderer, scene, camera } = stage;
    const objects = surround(stage);
    const effects = new EffectComposer(renderer, new WebGLRenderTarget(EDGE, EDGE));
    effects.addPass(new RenderPass(scene, camera));
    const mix = new ShaderPass({
      name: 'mirror',
      uniforms: { tDiffuse: { value: null } },
      vertexShader: 'varying vec2 place; void main() { place = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }',
      fragmentShader:
        'uniform sampler2D tDiffuse; varying vec2 place; void main() { gl_FragColor = texture2D(tDiffuse, place) + 0.5 * texture2D(tDiffuse, 1.0 - place); }',
    });
    effects.addPass(mix);
    return {
      move: (time) => objects.forEach((object, k) => (object.position.x += 0.1 * time * (k % 3) - 0.1)),
      render: () => effects.render(1 / 60),
      end: () => effects.dispose(),
    };
  },
};

export const webglScenes: readonly WebGLScene[] = [lines, clipping, shaders, overrides, reflector, composer];
