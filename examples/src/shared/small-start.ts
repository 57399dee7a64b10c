// On a first visit a machine that draws slowly begins with fewer objects. A line says so, with a link to all of them.

import type { QueryReader } from './query-reader.ts';
import { addNotice } from './toast.ts';

/**
 * Pixels of the measured picture along an edge, and layers of them. A graphics card draws them in a few milliseconds.
 */
const EDGE = 512;
const LAYERS = 192;
/** Milliseconds from which on a machine is slow. */
const SLOW_MS = 80;
/** The shortest time counts: other work of the page delays the others. */
const TRIES = 2;
const MAX_WAIT_MS = 300;
const SHOWN_MS = 15_000;

/** Draws before the first frame of the page, and leaves the context as it was. */
export async function drawsSlowly(gl: WebGL2RenderingContext): Promise<boolean> {
  const program = createProgram(gl);
  const target = gl.createFramebuffer();
  const pixels = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, pixels);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, EDGE, EDGE);
  const draw = (layers: number): Promise<number> => {
    const viewport = gl.getParameter(gl.VIEWPORT) as Int32Array;
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, pixels);
    gl.viewport(0, 0, EDGE, EDGE);
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, 3, layers);
    gl.blendFunc(gl.ONE, gl.ZERO);
    gl.disable(gl.BLEND);
    gl.useProgram(null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(viewport[0], viewport[1], viewport[2], viewport[3]);
    return timeUntilDrawn(gl);
  };
  // Compiles the shader.
  await draw(1);
  let time = Infinity;
  for (let tries = 0; tries < TRIES && time >= SLOW_MS; tries++) time = Math.min(time, await draw(LAYERS));
  gl.bindRenderbuffer(gl.RENDERBUFFER, null);
  gl.deleteFramebuffer(target);
  gl.deleteRenderbuffer(pixels);
  gl.deleteProgram(program);
  return time >= SLOW_MS;
}

/** Says that the page has begun with fewer objects, and how it begins with all. */
export function saySmallStart({ smallStart }: QueryReader): void {
  if (smallStart === null) return;
  const { name, value, start } = smallStart;
  const line = addNotice('small-start');
  const [less, all] = [value, start].map((count) => count.toLocaleString('en'));
  const link = document.createElement('a');
  link.href = `?${name}=${start}`;
  link.textContent = `Begin with ${all}`;
  line.append(`This machine draws slowly: ${less} in place of ${all}. `, link);
  setTimeout(() => line.remove(), SHOWN_MS);
}

async function timeUntilDrawn(gl: WebGL2RenderingContext): Promise<number> {
  const begin = performance.now();
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)!;
  gl.flush();
  let time = 0;
  do {
    await new Promise((resolve) => setTimeout(resolve));
    time = performance.now() - begin;
  } while (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED && time < MAX_WAIT_MS);
  gl.deleteSync(fence);
  return time;
}

/** Fills the picture, with some work for each pixel. */
function createProgram(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [
      gl.VERTEX_SHADER,
      `#version 300 es
      void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }`,
    ],
    [
      gl.FRAGMENT_SHADER,
      `#version 300 es
      precision highp float;
      out vec4 colour;
      void main() { colour = vec4(sin(gl_FragCoord.xy) * 0.01, cos(gl_FragCoord.yx) * 0.01); }`,
    ],
  ] as const) {
    const shader = gl.createShader(kind)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  return program;
}
