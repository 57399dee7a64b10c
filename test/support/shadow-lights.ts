/** Lights that cast shadows, and a floor that receives them. */

import {
  DirectionalLight,
  Mesh,
  MeshLambertMaterial,
  OrthographicCamera,
  PlaneGeometry,
  PointLight,
  SpotLight,
  type Scene,
} from 'three';

export type ShadowLight = DirectionalLight | SpotLight | PointLight;

export const directional = (): DirectionalLight => new DirectionalLight(0xffffff, 2);
export const spot = (): SpotLight => new SpotLight(0xffeedd, 2000, 0, 0.9);
export const point = (): PointLight => new PointLight(0xddeeff, 1500);

/** Adds a floor and the lights above it. Most of the lit area is off the screen. */
export function addShadowLights(scene: Scene, lights: readonly ShadowLight[]): void {
  const floor = new Mesh(new PlaneGeometry(100, 100), new MeshLambertMaterial());
  floor.rotation.x = -Math.PI / 2;
  floor.position.y = -12;
  floor.receiveShadow = true;
  scene.add(floor);
  for (const light of lights) {
    const { shadow } = light;
    light.position.set(10, 25, 5);
    light.castShadow = true;
    shadow.mapSize.set(256, 256);
    shadow.camera.far = 90;
    if (shadow.camera instanceof OrthographicCamera)
      Object.assign(shadow.camera, { left: -30, right: 30, top: 30, bottom: -30 });
    shadow.camera.updateProjectionMatrix();
    scene.add(light);
  }
}
