{
  const maxShown = 20;
  const search = document.querySelector('.search');
  const input = search.querySelector('input');
  const list = search.querySelector('ul');
  const count = search.querySelector('[role=status]');
  const plain = (text) => text.trim().toLowerCase().replaceAll('_', ' ');
  const entries = index.entries.flatMap(([id, on, note, name, also = '']) =>
    on.map((page) => {
      const [address, title] = index.pages[page];
      const shown = { href: id ? `${address}#${id}` : address, name: name || id, note: note || title };
      return { ...shown, text: plain(`${shown.name} ${id} ${shown.note} ${title} ${also}`) };
    }),
  );

  function rank({ name }, typed) {
    const known = plain(name);
    if (known === typed) return 0;
    if (known.startsWith(typed)) return 1;
    return typed.split(/\s+/).every((word) => known.includes(word)) ? 2 : 3;
  }

  /** What there is in place of what readers look for. */
  const instead = {
    delete: 'archive',
    remove: 'archive',
    soh: 'state of certified energy',
    'state of health': 'state of certified energy',
  };

  /** Whether a letter is wrong, missing or too many, or two have changed places. */
  function isNear(known, typed) {
    let start = 0;
    while (start < typed.length && known[start] === typed[start]) start += 1;
    const [one, other] = [known.slice(start), typed.slice(start)];
    const isSwapped = one[0] === other[1] && one[1] === other[0] && one.slice(2) === other.slice(2);
    return isSwapped || one.slice(1) === other.slice(1) || one === other.slice(1) || one.slice(1) === other;
  }

  function find(typed) {
    const wanted = Object.hasOwn(instead, typed) ? instead[typed] : typed;
    const words = wanted.split(/\s+/);
    const match = (fits) => entries.filter(({ text }) => typed !== '' && words.every((word) => fits(text, word)));
    const exact = match((text, word) => text.includes(word));
    const isTyped = (text, word) =>
      text.includes(word) || (word.length > 3 && text.split(/[^\p{L}\d]+/u).some((known) => isNear(known, word)));
    return (exact.length > 0 ? exact : match(isTyped)).toSorted(
      (one, other) => rank(one, wanted) - rank(other, wanted),
    );
  }

  function itemOf({ href, name, note }) {
    const item = document.createElement('li');
    const link = item.appendChild(document.createElement('a'));
    link.href = href;
    link.append(name, ' ');
    link.appendChild(document.createElement('small')).textContent = note;
    return item;
  }

  function show() {
    const typed = plain(input.value);
    const found = find(typed);
    list.replaceChildren(...found.slice(0, maxShown).map(itemOf));
    list.hidden = found.length === 0;
    const results = found.length > maxShown ? `${maxShown} of ${found.length}` : found.length;
    count.textContent = typed === '' ? '' : found.length === 0 ? 'Nothing found' : `Results: ${results}`;
  }

  function close() {
    list.hidden = true;
    count.textContent = '';
  }

  input.addEventListener('input', show);
  search.addEventListener('keydown', (event) => {
    const stops = [input, ...list.querySelectorAll('a')];
    const at = stops.indexOf(document.activeElement);
    const next = { ArrowDown: stops[at + 1], ArrowUp: stops[at - 1], Escape: input }[event.key];
    if (event.key === 'Enter' && at === 0) stops[1]?.click();
    if (!next) return;
    event.preventDefault();
    next.focus();
    if (event.key === 'Escape') {
      if (at === 0 && input.value === '') input.blur();
      input.value = '';
      close();
    }
  });
  list.addEventListener('click', close);
  for (const type of ['pointerdown', 'focusin'])
    document.addEventListener(type, ({ target }) => {
      if (!search.contains(target)) close();
      else if (target === input) show();
    });
  show();
}
