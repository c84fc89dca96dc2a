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

  /** The best match first: the name, its start, words that begin with what is typed, and other parts of a name. */
  function rank({ name, text }, typed, words, fits) {
    const known = plain(name);
    const begins = (within) => words.every((word) => ` ${within}`.includes(` ${word}`));
    const inName = words.every((word) => fits(known, word));
    return [known === typed, known.startsWith(typed), begins(known), begins(text), inName, true].indexOf(true);
  }

  /** What there is in place of what readers look for. */
  const instead = {
    delete: 'archive',
    remove: 'archive',
    pagination: 'paging',
    patch: 'update',
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

  /** What is typed with the words that the reference has in place of it, and then these words alone. */
  function translated(typed, fits) {
    const words = typed.split(/\s+/);
    for (const [term, other] of Object.entries(instead)) {
      const parts = term.split(' ');
      const at = words.findIndex((_, index) => parts.every((part, next) => fits(part, words[index + next] ?? '')));
      if (at >= 0) return [words.toSpliced(at, parts.length, other).join(' '), other];
    }
    return [typed];
  }

  const isWord = (known, word) => known === word || (word.length > 3 && isNear(known, word));

  function find(typed) {
    const words = typed.split(/\s+/);
    const has = (text, word) => text.includes(word);
    const isTyped = (text, word) =>
      text.includes(word) || text.split(/[^\p{L}\d]+/u).some((known) => isWord(known, word));
    for (const fits of [has, isTyped]) {
      const found = entries.filter(({ text }) => typed !== '' && words.every((word) => fits(text, word)));
      const ranked = found.map((entry) => [rank(entry, typed, words, fits), entry]);
      if (found.length > 0) return ranked.toSorted(([one], [other]) => one - other).map(([, entry]) => entry);
    }
    return [];
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
    // "batch" is not a misspelt "patch".
    const isMisspelt = (known, word) => known[0] === word[0] && isWord(known, word);
    const tries = [Object.is, isMisspelt].flatMap((fits) => translated(typed, fits));
    const wanted = tries.find((each) => find(each).length > 0) ?? typed;
    const found = find(wanted);
    list.replaceChildren(...found.slice(0, maxShown).map(itemOf));
    list.hidden = found.length === 0;
    const results = `${found.length > maxShown ? `${maxShown} of ` : ''}${found.length}${wanted === typed ? '' : ` for ${wanted}`}`;
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
