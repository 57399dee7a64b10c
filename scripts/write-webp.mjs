// Writes screenshots of Playwright, which are PNG files, as WebP: a browser converts them.

import { writeFileSync } from 'node:fs';

const QUALITY = 0.84;

/** Writes a screenshot, a Buffer, to a file. */
export async function writeWebp(browser, file, screenshot) {
  const page = await browser.newPage();
  const picture = await page.evaluate(
    async ([source, quality]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', quality);
    },
    [`data:image/png;base64,${screenshot.toString('base64')}`, QUALITY],
  );
  await page.close();
  writeFileSync(file, Buffer.from(picture.split(',')[1], 'base64'));
  console.log(file);
}
