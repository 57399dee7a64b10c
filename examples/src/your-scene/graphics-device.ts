// Finds the name of the graphics device of a context, and whether the CPU draws.

export interface GraphicsDevice {
  /** Empty if the browser does not report it. */
  readonly name: string;
  readonly isSoftware: boolean;
}

export function graphicsDeviceOf(gl: WebGL2RenderingContext): GraphicsDevice {
  // Firefox names the device by RENDERER, and warns of the extension. Others give "WebKit WebGL" there.
  const plain = String(gl.getParameter(gl.RENDERER));
  const extension = /webkit/i.test(plain) ? gl.getExtension('WEBGL_debug_renderer_info') : null;
  const name = extension
    ? String(gl.getParameter(extension.UNMASKED_RENDERER_WEBGL))
    : /webkit/i.test(plain)
      ? ''
      : plain;
  return { name, isSoftware: /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name) };
}
