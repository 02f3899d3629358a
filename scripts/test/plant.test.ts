import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

import { readCatalogue } from '../coverage-spec.mjs'
import { applyFault, draw, classify, titleOf } from '../plant.mjs'
import { plantedFaults } from '../planted-faults/index.mjs'
import { root } from '../source-files.mjs'
import { findTestedIds, readTranscripts } from '../tested-requirements.mjs'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('the table of planted faults', () => {
  test('has edits that still apply: what is looked for stands there exactly once', () => {
    const stale = plantedFaults.filter(
      (fault) => !existsSync(join(root, fault.file)) || !applyFault(read(fault.file), fault),
    )

    expect(stale.map(({ id, file, find }) => ({ id, file, find }))).toEqual([])
  })

  test('has edits after which the file can still be read: the test has to fail for another reason', () => {
    const broken = plantedFaults.filter((fault) => {
      const { errors } = parseSync(fault.file, applyFault(read(fault.file), fault) ?? '')
      return errors.length > 0
    })

    expect(broken.map(({ id, file, put }) => ({ id, file, put }))).toEqual([])
  })

  test('has edits that change something', () => {
    expect(plantedFaults.filter(({ find, put }) => find === put)).toEqual([])
  })

  test('names requirements of the catalogue, and tests that say they show them', () => {
    const known = new Set(readCatalogue().map(({ id }) => id))
    const shown = new Map(
      [...new Set(plantedFaults.map(({ test: file }) => file))].map((file) => [
        file,
        findTestedIds(file, read(file)),
      ]),
    )

    const ofRequirements = plantedFaults.filter(({ title }) => title !== '')
    expect(ofRequirements.filter(({ id }) => !known.has(id)).map(({ id }) => id)).toEqual([])
    const unnamed = ofRequirements.filter(
      (fault) =>
        !shown.get(fault.test)?.has(fault.id) ||
        !`${read(fault.test)}${readTranscripts(fault.test, read(fault.test))}`.includes(
          titleOf(fault),
        ),
    )
    expect(unnamed.map(({ id, test: file }) => `${id} in ${file}`)).toEqual([])
  })
})

describe('planting', () => {
  test('replaces what stands there once, and nothing that stands there twice', () => {
    expect(applyFault('a b c', { find: 'b', put: '' })).toBe('a  c')
    expect(applyFault('a b b', { find: 'b', put: '' })).toBeUndefined()
    expect(applyFault('a', { find: 'b', put: '' })).toBeUndefined()
  })

  test('draws the same ones for the same seed, and others for another', () => {
    const items = Array.from({ length: 100 }, (_, index) => index)

    expect(draw(items, 10, 7)).toEqual(draw(items, 10, 7))
    expect(draw(items, 10, 7)).not.toEqual(draw(items, 10, 8))
    expect(new Set(draw(items, 10, 7)).size).toBe(10)
  })

  const report = (...assertionResults: { fullName: string; status: string }[]) => ({
    testResults: [{ assertionResults }],
  })

  test.each([
    ['caught', report({ fullName: 'refuses it [AAA-01]', status: 'failed' })],
    ['not caught', report({ fullName: 'refuses it [AAA-01]', status: 'passed' })],
    ['not caught', report({ fullName: 'another [AAA-02]', status: 'failed' }, passed())],
    ['no such test', report({ fullName: 'another [AAA-02]', status: 'failed' })],
    ['does not load', report()],
  ])('is %s by what the report says of the tests that name it', (outcome, found) => {
    expect(classify(found, 'AAA-01')).toBe(outcome)
  })

  function passed() {
    return { fullName: 'refuses it [AAA-01]', status: 'passed' }
  }
})
