// Reads a code with the camera into the field, where the browser can. It takes a GTIN and its qualifiers, and no address.
{
  const button = document.querySelector('#scan');
  const input = document.querySelector('#code');
  const video = document.querySelector('video');

  // FNC1, which ends a field of variable length.
  const separator = String.fromCharCode(29);

  function elementsIn(text) {
    const [, linked, path = ''] = /\/01\/(\d{8,14})((?:\/(?:22|10|21)\/[\w%.~!*'+-]+)*)(?:[/?#]|$)/.exec(text) ?? [];
    const [, bare] = /^(\d{8}|\d{12,14})$/.exec(text) ?? [];
    const [start = '', ...others] = text
      .replace(/^\](?:d2|Q3)/, '')
      .split(separator)
      .filter(Boolean);
    const [, marked, rest = ''] = /^01(\d{14})(.*)$/.exec(start) ?? [];
    const fields = linked
      ? [...path.matchAll(/\/(\d\d)\/([^/]+)/g)].map(([, key, value]) => [key, decodeURIComponent(value)])
      : [rest.replace(/^(?:1[1-7]\d{6})+/, ''), ...others].map((field) => [field.slice(0, 2), field.slice(2)]);
    const known = fields.filter(([key, value]) => /^(?:22|10|21)$/.test(key) && /^[^()\s]{1,20}$/.test(value));
    const gtin = linked ?? bare ?? marked;
    return gtin && [`(01)${gtin}`, ...known.map(([key, value]) => `(${key})${value}`)].join('');
  }

  async function scan() {
    const detector = new BarcodeDetector();
    const camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    const stop = () => {
      for (const track of camera.getTracks()) track.stop();
      video.hidden = true;
    };
    video.hidden = false;
    video.srcObject = camera;
    video.onclick = stop;
    await video.play();
    while (!video.hidden) {
      const codes = await detector.detect(video);
      const found = codes.map(({ rawValue }) => elementsIn(rawValue)).find(Boolean);
      if (found) {
        stop();
        input.value = found;
        input.focus();
      } else await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  if ('BarcodeDetector' in window && navigator.mediaDevices) {
    button.hidden = false;
    button.addEventListener('click', () => scan().catch(() => (button.hidden = true)));
  }
}
