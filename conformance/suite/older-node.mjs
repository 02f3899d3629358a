/**
 * Lets the suite run on Node 20. It imports `globSync` from `fs`, which came with Node 22, and uses it only in commands that
 * nothing here runs; without this its other commands could not even be loaded.
 */

import * as fs from 'node:fs'
import { register } from 'node:module'

const folders = ['/@modelcontextprotocol/conformance/', '/conformance-0.1/']
const filled = `
  export * from 'node:fs'
  export function globSync() {
    throw new Error('fs.globSync needs Node 22')
  }
`
const hooks = `
  export async function resolve(specifier, context, next) {
    const isOfSuite = ${JSON.stringify(folders)}.some((part) => context.parentURL?.includes(part))
    if (specifier !== 'fs' || !isOfSuite) return next(specifier, context)
    return { url: ${JSON.stringify(asUrl(filled))}, format: 'module', shortCircuit: true }
  }
`
if (!('globSync' in fs)) register(asUrl(hooks))

/** @param {string} source */
function asUrl(source) {
  return `data:text/javascript,${encodeURIComponent(source)}`
}
