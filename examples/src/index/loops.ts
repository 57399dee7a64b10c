// The loops of the cards: a few seconds of video over the picture of an example. Where a pointer can hover, a loop
// plays while it is on the card or the link has the focus. On touch screens it plays once when the whole card comes
// into view. Visitors who want less motion, or save data, see the pictures alone.

const addresses = import.meta.glob<string>('../../images/**/*.webm', { query: '?url', import: 'default', eager: true });

const prefersStills = (): boolean =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ||
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Plays the loop of an example over the picture of its card, if it has one. */
export function addLoop(card: HTMLElement, slug: string): void {
  const address = addresses[`../../images/${slug}.webm`];
  if (address === undefined) return;
  let video: HTMLVideoElement | null = null;

  const stop = (): void => {
    video?.remove();
    video = null;
  };
  const play = (repeats: boolean): void => {
    if (video !== null || prefersStills()) return;
    video = document.createElement('video');
    Object.assign(video, {
      src: address,
      muted: true,
      loop: repeats,
      playsInline: true,
      disablePictureInPicture: true,
    });
    video.setAttribute('aria-hidden', 'true');
    video.addEventListener('ended', stop);
    card.prepend(video);
    // A browser that refuses or cannot decode it shows the picture.
    video.play().catch(stop);
  };

  if (matchMedia('(hover: hover)').matches) {
    card.addEventListener('pointerenter', () => play(true));
    card.addEventListener('pointerleave', stop);
    card.addEventListener('focusin', () => play(true));
    card.addEventListener('focusout', stop);
  } else {
    const observer = new IntersectionObserver(([{ isIntersecting }]) => (isIntersecting ? play(false) : stop()), {
      threshold: 0.9,
    });
    observer.observe(card);
  }
}
