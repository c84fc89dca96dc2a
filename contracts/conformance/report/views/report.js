/* Search, filters and copy buttons. Without this script everything is readable. */
(() => {
  const byId = (id) => document.getElementById(id);
  const controls = ['search', 'status', 'claim', 'family'].map(byId);
  const families = [...document.querySelectorAll('.family')].map((element) => ({
    element,
    name: element.dataset.family,
    folded: element.querySelector('.folded'),
    cases: [...element.querySelectorAll('.case')].map((one) => ({
      element: one,
      status: one.dataset.status,
      claim: one.dataset.claim,
      text: [...one.querySelectorAll('.title, .id, .reasons')]
        .map((part) => part.textContent)
        .join(' ')
        .toLowerCase(),
    })),
  }));

  function filter() {
    const [search, status, claim, family] = controls.map(({ value }) => value);
    const words = search.toLowerCase().split(/\s+/);
    let found = 0;
    let total = 0;
    const isFiltered = controls.some(({ value }) => value !== '');
    for (const { element, name, folded, cases } of families) {
      let inFamily = 0;
      for (const one of cases) {
        const matches =
          (status === '' || one.status === status) &&
          (claim === '' || one.claim === claim) &&
          (family === '' || name === family) &&
          words.every((word) => one.text.includes(word));
        one.element.hidden = !matches;
        if (matches) inFamily += 1;
      }
      element.hidden = inFamily === 0;
      fold(folded, isFiltered);
      found += inFamily;
      total += cases.length;
    }
    byId('found').textContent = found === total ? `${total} cases` : `${found} of ${total} cases`;
    byId('none').hidden = found > 0;
  }

  /** Passed cases are open while somebody looks for a case. */
  function fold(folded, isFiltered) {
    if (!folded) return;
    folded.hidden = !folded.querySelector('.case:not([hidden])');
    folded.open = isFiltered;
  }

  function reset() {
    for (const control of controls) control.value = '';
    filter();
  }

  /** Opens the case that the address names. */
  function openTarget() {
    const target = byId(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest('[hidden]')) reset();
    for (let one = target.closest('details'); one; one = one.parentElement.closest('details')) one.open = true;
    target.scrollIntoView();
  }

  async function copy(button) {
    const source = button.parentElement.querySelector('.copied');
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  }

  for (const button of document.querySelectorAll('.copy')) button.hidden = false;
  document.addEventListener('click', ({ target }) => {
    if (target.matches('.copy')) copy(target);
  });
  byId('filters').hidden = false;
  byId('filters').addEventListener('input', filter);
  byId('filters').addEventListener('submit', (event) => event.preventDefault());
  byId('reset').addEventListener('click', reset);
  // A browser without ::details-content prints what is open.
  addEventListener('beforeprint', () => {
    for (const one of document.querySelectorAll('details')) one.open = true;
  });
  addEventListener('hashchange', openTarget);
  filter();
  openTarget();
})();
