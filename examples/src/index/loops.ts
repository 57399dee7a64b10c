// The loops: a few seconds of video over the picture of an example. That of the first screen plays until it is paused.
// Where a pointer can hover, the loop of a card plays while it is on the card or the link has the focus. On touch
// screens it plays once when the whole card comes into view. Visitors who want less motion, or save data, see the
// pictures alone.

const addresses = import.meta.glob<string>('../../images/**/*.webm', { query: '?url', import: 'default', eager: true });

const prefersStills = (): boolean =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ||
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

function createVideo(src: string, loop: boolean): HTMLVideoElement {
  const video = document.createElement('video');
  Object.assign(video, { src, muted: true, loop, playsInline: true, disablePictureInPicture: true });
  video.setAttribute('aria-hidden', 'true');
  return video;
}

/** Plays the loop of an example over the picture in a link, until the button is pressed. */
export function playLoop(link: HTMLElement, pause: HTMLButtonElement, slug: string): void {
  if (prefersStills()) return;
  const video = createVideo(addresses[`../../images/${slug}.webm`], true);
  link.append(video);
  pause.addEventListener('click', () => void (video.paused ? video.play() : video.pause()));
  video.addEventListener('pause', () => (pause.textContent = 'Play'));
  video.addEventListener('play', () => (pause.textContent = 'Pause'));
  video.addEventListener('playing', () => (pause.hidden = false), { once: true });
  const play = (): void =>
    void video.play().catch(({ name }: DOMException) => {
      // A browser may break it off to save power while the page is in the background.
      if (name === 'AbortError') document.addEventListener('visibilitychange', play, { once: true });
      // A browser that refuses or cannot decode it shows the picture.
      else video.remove();
    });
  play();
}

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
    video = createVideo(address, repeats);
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
