/** Files that import each other in a ring: none of them can be read, tested or loaded without the others. */

/** @typedef {import('./import-graph.mjs').Graph} Graph */

/**
 * One ring for each group of files that reach each other through value imports at load time. Types leave no trace in the
 * compiled file, and `import()` runs later, so neither makes a ring.
 *
 * @param {Graph} graph
 * @returns {string[][]} in the order of the imports; the last file imports the first
 */
export function findImportRings(graph) {
  return findGroups(graph).map((group) => shortestRing(group, graph))
}

/**
 * Tarjan's strongly connected components, those of more than one file or of a file that imports itself.
 *
 * @param {Graph} graph
 * @returns {Set<string>[]}
 */
function findGroups(graph) {
  /** @type {Map<string, number>} */
  const numbers = new Map()
  /** @type {Map<string, number>} */
  const lowest = new Map()
  /** @type {string[]} */
  const open = []
  /** @type {Set<string>[]} */
  const groups = []

  /** @param {string} file */
  function visit(file) {
    const number = numbers.size
    numbers.set(file, number)
    let low = number
    open.push(file)
    for (const next of loadedBy(file, graph)) {
      if (!numbers.has(next)) low = Math.min(low, visit(next))
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? numbers.get(next) ?? 0)
    }
    lowest.set(file, low)
    if (low === number) {
      const group = new Set(open.splice(open.indexOf(file)))
      if (group.size > 1 || loadedBy(file, graph).includes(file)) groups.push(group)
    }
    return low
  }

  for (const file of graph.keys()) if (!numbers.has(file)) visit(file)
  return groups
}

/**
 * The fewest files of a group that lead back to where they start: what somebody has to look at to break it.
 *
 * @param {ReadonlySet<string>} group
 * @param {Graph} graph
 * @returns {string[]}
 */
function shortestRing(group, graph) {
  const rings = [...group].map((start) => ringFrom(start, group, graph))
  return rings.reduce((best, ring) => (ring.length < best.length ? ring : best))
}

/** @param {string} start @param {ReadonlySet<string>} group @param {Graph} graph @returns {string[]} */
function ringFrom(start, group, graph) {
  const paths = [[start]]
  const seen = new Set()
  for (const path of paths) {
    for (const next of loadedBy(path.at(-1) ?? start, graph)) {
      if (next === start) return path
      if (!group.has(next) || seen.has(next)) continue
      seen.add(next)
      paths.push([...path, next])
    }
  }
  return [...group] // not reached: every file of a group leads back to itself
}

/** @param {string} file @param {Graph} graph */
function loadedBy(file, graph) {
  const edges = graph.get(file) ?? []
  return edges.filter(({ to, kind }) => kind === 'static' && graph.has(to)).map(({ to }) => to)
}
