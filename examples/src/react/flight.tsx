// Camera and light: the camera circles low over the field. Draws the picture, and measures it.

import { useFrame } from '@react-three/fiber';
import { useRef } from 'react';

/** Radius of the circle and height above the ground in metres. */
const RADIUS = 15;
const HEIGHT = 10.5;
/** Radians per second. */
const SPEED = 0.045;

export function Flight({ isMoving, onRender }: { isMoving: boolean; onRender: (milliseconds: number) => void }) {
  const angle = useRef(0.6);
  // A priority above 0 takes over the drawing.
  useFrame(({ gl, scene, camera }, seconds) => {
    if (isMoving) angle.current += Math.min(seconds, 0.1) * SPEED;
    const [x, z] = [Math.sin(angle.current), Math.cos(angle.current)];
    camera.position.set(x * RADIUS, HEIGHT, z * RADIUS);
    camera.lookAt(-x * 4 - z * 6, 0, -z * 4 + x * 6);
    const start = performance.now();
    gl.render(scene, camera);
    onRender(performance.now() - start);
  }, 1);
  return (
    <>
      <fog attach="fog" args={['#0c1420', 14, 46]} />
      <color attach="background" args={['#0c1420']} />
      <hemisphereLight args={['#a9c8f5', '#0d2230', 1.25]} />
      <directionalLight position={[-8, 9, -5]} intensity={3} color="#fff0dc" />
    </>
  );
}
