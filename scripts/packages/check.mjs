#!/usr/bin/env node
/** `npm run check -- packages`: says what is wrong with the packages that are published; `--fix` mends what it can. */

import { argv, exit } from 'node:process'

import { findProblems, mendPackages } from './problems.mjs'

if (argv.includes('--fix')) mendPackages()
const problems = findProblems()
for (const problem of problems) console.error(problem)
if (problems.length > 0) exit(1)
