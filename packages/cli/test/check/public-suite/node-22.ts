import { env, execPath, versions } from 'node:process'

const isNew = Number(versions.node.split('.')[0]) >= 22

/** A Node that the public suite runs on; undefined if there is none. */
export const node22 = env['PARLEY_NODE'] ?? (isNew ? execPath : undefined)

/** How to have one, in the name of what is skipped without it. */
export const howToGetIt =
  'with npm install --prefix ~/node22 node@22; PARLEY_NODE=~/node22/node_modules/node/bin/node npm test'
