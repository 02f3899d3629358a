/** The order in which packages are published: nobody can install one whose dependencies are missing. */

/** @typedef {import('./published.mjs').Published} Published */

/**
 * @param {readonly Published[]} packages
 * @returns {Published[]} each after those it depends on
 */
export function dependenciesFirst(packages) {
  /** @type {Set<Published>} */
  const ordered = new Set()
  /** @param {Published} one @param {readonly string[]} above */
  const add = (one, above) => {
    if (above.includes(one.name)) throw new Error(`ring: ${[...above, one.name].join(' → ')}`)
    const names = Object.keys(one.manifest['dependencies'] ?? {})
    for (const other of packages.filter(({ name }) => names.includes(name))) {
      if (!ordered.has(other)) add(other, [...above, one.name])
    }
    ordered.add(one)
  }
  for (const one of packages) if (!ordered.has(one)) add(one, [])
  return [...ordered]
}
