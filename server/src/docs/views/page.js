const said = document.querySelector('#said');

for (const shown of document.querySelectorAll('figure.shown, pre.element')) {
  const caption = shown.querySelector('figcaption');
  const name = caption?.textContent ?? shown.closest('[id]').id;
  const code = shown.querySelector('code');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${name}`);
  button.addEventListener('click', async () => {
    let done = 'Copied';
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // Browsers offer the clipboard only to https, and may refuse it. The old command needs a selection, which stays.
      getSelection().selectAllChildren(code);
      if (!document.execCommand('copy')) done = 'Selected';
    }
    button.textContent = done;
    said.textContent = `${done} ${name}`;
    setTimeout(() => {
      button.textContent = 'Copy';
      said.textContent = '';
    }, 2000);
  });
  (caption ?? shown).append(button);
}

// A link leads into a closed section. Not every browser opens it.
function reveal() {
  const target = document.getElementById(location.hash.slice(1));
  const section = target?.closest('details:not([open])');
  if (!section) return;
  section.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', reveal);
reveal();

const search = document.querySelector('.search');
const input = search.querySelector('input');
search.hidden = false;
input.addEventListener(
  'focus',
  () => {
    const script = document.createElement('script');
    script.src = search.dataset.script;
    script.addEventListener('error', () => {
      search.querySelector('[role=status]').textContent = 'The search did not load.';
    });
    document.head.append(script);
  },
  { once: true },
);
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === input) return;
  event.preventDefault();
  // Far from the top it opens over the page, which stays where it is.
  search.classList.toggle('over', scrollY > 60);
  input.focus({ preventScroll: true });
});

// On a phone the contents stay at the top of the screen.
const jump = document.querySelector('.jump');
jump.classList.add('stays');
jump.addEventListener('click', ({ target }) => {
  if (target.closest('a')) jump.open = false;
});

// Marks the operation that a line near the top of the window crosses.
const aside = document.querySelector('.aside');
const observer = new IntersectionObserver(
  (sections) => {
    for (const { isIntersecting, target } of sections)
      for (const link of document.querySelectorAll(`.place[href$="#${target.getAttribute('aria-labelledby')}"]`)) {
        if (!isIntersecting) link.removeAttribute('aria-current');
        else {
          link.setAttribute('aria-current', 'location');
          const top = link.offsetTop - aside.scrollTop;
          if (aside.contains(link) && (top < 0 || top > aside.clientHeight - 40))
            aside.scrollTop = link.offsetTop - aside.clientHeight / 2;
        }
      }
  },
  { rootMargin: '-20% 0px -79% 0px' },
);
for (const section of document.querySelectorAll('.operation')) observer.observe(section);
