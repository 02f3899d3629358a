import { Content, useData, withBase } from 'vitepress'
import { h, ref } from 'vue'

/** The first page: what Parley is, a program to copy, what it costs, and the way to everything else. */
export const Landing = {
  setup() {
    const { frontmatter } = useData()
    return () => {
      const page = frontmatter.value
      return h('div', { class: 'landing' }, [
        h('div', { class: 'hero' }, [
          h('div', { class: 'hero-text' }, heroText(page)),
          h('div', { class: 'hero-code' }, [
            h(Content, { class: 'vp-doc' }),
            h(Command, { class: 'run', text: page.run }),
          ]),
        ]),
        measured(page.measured),
        places(page.places),
        h(
          'div',
          { class: 'foot' },
          [h('span', 'MIT licence')].concat(page.footer.map((one) => anchor(one))),
        ),
      ])
    }
  },
}

function heroText({ title, lead, actions, install, proof }) {
  return [
    h('h1', title),
    h('p', { class: 'lead' }, lead),
    h(
      'div',
      { class: 'actions' },
      actions.map((one, index) => anchor(one, { class: index === 0 ? 'button main' : 'button' })),
    ),
    h(Command, { class: 'install', text: install }),
    h(
      'ul',
      { class: 'proof' },
      proof.map((one) => h('li', [icon('m5 12.5 4.5 4.5L19 7.5', 14), anchor(one)])),
    ),
  ]
}

/** One line for a terminal, and a button that copies it. */
const Command = {
  props: ['text'],
  setup({ text }) {
    const isCopied = ref(false)
    const copy = async () => {
      await navigator.clipboard.writeText(text)
      isCopied.value = true
      setTimeout(() => (isCopied.value = false), 2_000)
    }
    return () =>
      h('div', { class: 'command' }, [
        h('code', text),
        h(
          'button',
          { type: 'button', onClick: copy, 'aria-label': `Copy ${text}`, title: 'Copy' },
          [icon(isCopied.value ? 'm5 12.5 4.5 4.5L19 7.5' : 'M9 9h10v11H9zM15 9V4H5v11h4', 16)],
        ),
      ])
  },
}

/** Bars of both SDKs; the longest of a case is the whole width. */
function measured(cases) {
  return h('section', { class: 'block' }, [
    h('h2', 'Less time per call'),
    h('p', [
      'CPU time of one call in microseconds, official SDK v2 and Parley in the same run. ',
      anchor({
        text: 'How it was measured',
        link: 'https://github.com/parley-mcp/parley/blob/main/docs/internals/performance.md',
      }),
    ]),
    h(
      'div',
      { class: 'bench' },
      cases.map(({ title, theirs, ours, times }) =>
        h('div', { class: 'case' }, [
          h('b', title),
          h('div', { class: 'bars' }, [
            bar('Official SDK', theirs, theirs),
            bar('Parley', ours, theirs),
          ]),
          h('span', { class: 'times' }, `${times} ×`),
        ]),
      ),
    ),
  ])
}

function bar(who, value, longest) {
  const width = `${Math.min(100, (100 * value) / longest).toFixed(1)}%`
  return h('span', { class: who === 'Parley' ? 'bar us' : 'bar' }, [
    h('span', { class: 'who' }, who),
    h('span', { class: 'line' }, [h('i', { style: { width } })]),
    h('span', { class: 'value' }, `${value.toLocaleString('en')} µs`),
  ])
}

function places(all) {
  return h('section', { class: 'block' }, [
    h('h2', 'Everything around a server'),
    h(
      'div',
      { class: 'places' },
      all.map(({ icon: lines, text, about, link }) =>
        h('a', { class: 'place', href: withBase(link) }, [
          icon(lines, 20),
          h('b', text),
          h('span', about),
        ]),
      ),
    ),
  ])
}

function anchor({ text, link }, attributes = {}) {
  return h('a', { href: withBase(link), ...attributes }, text)
}

function icon(lines, size) {
  const line = { fill: 'none', stroke: 'currentColor', 'stroke-width': 1.8 }
  const ends = { 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }
  const box = { viewBox: '0 0 24 24', width: size, height: size, 'aria-hidden': 'true' }
  return h('svg', { ...box, ...line, ...ends }, [h('path', { d: lines })])
}
