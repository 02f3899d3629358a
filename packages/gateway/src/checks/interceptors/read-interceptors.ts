import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import type { JsonValue } from '@parley/mcp'

import type { CheckProblem } from '../check-problem.ts'
import type { Check } from '../check.ts'
import { openSection, type Section } from '../section.ts'
import { httpInterceptor, urlMistake } from './http-interceptor.ts'
import type { InterceptorOptions } from './interceptor.ts'
import { moduleInterceptor } from './module-interceptor.ts'

const maxInterceptors = 50

/** Reads `interceptors:`: a list of `{ name, module | url, failMode, timeout, stages, headers }`. Modules are found from `folder`. */
export function readInterceptors(
  settings: JsonValue,
  { folder, onProblem }: { readonly folder: string } & Pick<InterceptorOptions, 'onProblem'>,
  problems: CheckProblem[],
): readonly Check[] {
  if (!Array.isArray(settings) || settings.length > maxInterceptors) {
    const cure = `write a list of at most ${maxInterceptors}: interceptors: [ { module: ./check.mjs, failMode: closed } ]`
    problems.push({
      path: ['interceptors'],
      message: 'interceptors is no list, or too long a one',
      cure,
    })
    return []
  }
  return settings.flatMap((each: JsonValue, index) => {
    const section = openSection(each, ['interceptors', index], problems)
    const check = section && readOne(section, index, folder, onProblem)
    section?.end()
    return check === undefined ? [] : [check]
  })
}

function readOne(
  section: Section,
  index: number,
  folder: string,
  onProblem: InterceptorOptions['onProblem'],
): Check | undefined {
  const failMode = section.choice('failMode', ['open', 'closed'])
  const stages = section.texts('stages')
  const module = section.text('module')
  const url = section.text('url')
  const options = {
    name: section.text('name') ?? `${index + 1}`,
    timeoutMs: section.duration('timeout'),
    stages: (['before', 'after'] as const).filter((stage) => stages?.includes(stage) ?? true),
    onProblem,
  }
  const headers = section.strings('headers')
  const answerBytes = section.bytes('answer')
  if (failMode === undefined) {
    section.problem(
      'failMode',
      'nobody knows what should happen when it fails',
      'write failMode: closed to refuse requests then, or failMode: open to let them through',
    )
    return undefined
  }
  if (
    options.stages.length === 0 ||
    stages?.some((each) => each !== 'before' && each !== 'after')
  ) {
    section.problem('stages', 'stages is wrong', 'write stages: [ before, after ]')
    return undefined
  }
  if ((module === undefined) === (url === undefined)) {
    section.problem(
      'module',
      'an interceptor is a module or a URL',
      'write one of module: ./check.mjs and url: https://…',
    )
    return undefined
  }
  if (url !== undefined) {
    const wrong = urlMistake(url)
    if (wrong === undefined)
      return httpInterceptor({ ...options, failMode, url, headers, answerBytes })
    section.problem(
      'url',
      wrong,
      'write an https address, or http://127.0.0.1:PORT/; credentials belong into headers',
    )
    return undefined
  }
  const path = resolve(folder, module ?? '')
  if (existsSync(path)) return moduleInterceptor({ ...options, failMode, module: path })
  section.problem(
    'module',
    `there is no file ${path}`,
    'write where the module is, from the folder of this file',
  )
  return undefined
}
