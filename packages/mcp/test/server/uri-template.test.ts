import { isMcpError } from '@parley/mcp'
import { expandUriTemplate, parseUriTemplate, type UriVariables } from '@parley/mcp/server'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { compileTemplate } from '../../src/server/resources/uri-template/compile.ts'
import { createUriMatcher, maxUriLength } from '../../src/server/resources/uri-template/match.ts'
import {
  isUriTemplate,
  parseTemplateParts,
} from '../../src/server/resources/uri-template/syntax.ts'

function match(template: string, uri: string) {
  const found = parseUriTemplate(template).match(uri)
  return found && { ...found }
}

describe('expanding', () => {
  // RFC 6570, sections 1.2 and 3.2, all that use strings and lists.
  const values = {
    count: ['one', 'two', 'three'],
    dom: ['example', 'com'],
    dub: 'me/too',
    hello: 'Hello World!',
    half: '50%',
    var: 'value',
    who: 'fred',
    base: 'http://example.com/home/',
    path: '/foo/bar',
    list: ['red', 'green', 'blue'],
    v: '6',
    x: '1024',
    y: '768',
    empty: '',
    none: [],
    undef: undefined,
  }

  test.each([
    ['{count}', 'one,two,three'],
    ['{count*}', 'one,two,three'],
    ['{/count}', '/one,two,three'],
    ['{/count*}', '/one/two/three'],
    ['{;count}', ';count=one,two,three'],
    ['{;count*}', ';count=one;count=two;count=three'],
    ['{?count}', '?count=one,two,three'],
    ['{?count*}', '?count=one&count=two&count=three'],
    ['{&count*}', '&count=one&count=two&count=three'],
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{half}', '50%25'],
    ['O{empty}X', 'OX'],
    ['O{undef}X', 'OX'],
    ['O{none}X', 'OX'],
    ['{x,y}', '1024,768'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['?{x,empty}', '?1024,'],
    ['?{x,undef}', '?1024'],
    ['?{undef,y}', '?768'],
    ['{var:3}', 'val'],
    ['{var:30}', 'value'],
    ['{list}', 'red,green,blue'],
    ['{list*}', 'red,green,blue'],
    ['{+var}', 'value'],
    ['{+hello}', 'Hello%20World!'],
    ['{+half}', '50%25'],
    ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
    ['{+base}index', 'http://example.com/home/index'],
    ['O{+empty}X', 'OX'],
    ['{+path}/here', '/foo/bar/here'],
    ['here?ref={+path}', 'here?ref=/foo/bar'],
    ['up{+path}{var}/here', 'up/foo/barvalue/here'],
    ['{+x,hello,y}', '1024,Hello%20World!,768'],
    ['{+path,x}/here', '/foo/bar,1024/here'],
    ['{+path:6}/here', '/foo/b/here'],
    ['{+list*}', 'red,green,blue'],
    ['{#var}', '#value'],
    ['{#hello}', '#Hello%20World!'],
    ['{#half}', '#50%25'],
    ['foo{#empty}', 'foo#'],
    ['foo{#undef}', 'foo'],
    ['{#path,x}/here', '#/foo/bar,1024/here'],
    ['{.who}', '.fred'],
    ['{.who,who}', '.fred.fred'],
    ['{.half,who}', '.50%25.fred'],
    ['www{.dom*}', 'www.example.com'],
    ['X{.var}', 'X.value'],
    ['X{.empty}', 'X.'],
    ['X{.undef}', 'X'],
    ['X{.list}', 'X.red,green,blue'],
    ['{/who}', '/fred'],
    ['{/half,who}', '/50%25/fred'],
    ['{/who,dub}', '/fred/me%2Ftoo'],
    ['{/var,empty}', '/value/'],
    ['{/var,undef}', '/value'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{/list*,path:4}', '/red/green/blue/%2Ffoo'],
    ['{;who}', ';who=fred'],
    ['{;half}', ';half=50%25'],
    ['{;empty}', ';empty'],
    ['{;v,empty,who}', ';v=6;empty;who=fred'],
    ['{;v,undef,who}', ';v=6;who=fred'],
    ['{;x,y,empty}', ';x=1024;y=768;empty'],
    ['{;hello:5}', ';hello=Hello'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['{?x,y,undef}', '?x=1024&y=768'],
    ['{?var:3}', '?var=val'],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{&x,y,empty}', '&x=1024&y=768&empty='],
  ])('follows the RFC for %s [RES-05]', (template, expected) => {
    expect(expandUriTemplate(template, values)).toBe(expected)
  })

  test('encodes what may not stand in a URI, also in the text around variables', () => {
    expect(expandUriTemplate('notes://café/{id}', { id: 'ü/ß' })).toBe(
      'notes://caf%C3%A9/%C3%BC%2F%C3%9F',
    )
    expect(expandUriTemplate('{+path}', { path: 'a b%20c%é😀' })).toBe(
      'a%20b%20c%25%C3%A9%F0%9F%98%80',
    )
  })

  test('replaces a lone surrogate instead of throwing', () => {
    expect(expandUriTemplate('{a}{+b}', { a: 'x\ud800', b: '\udc00y' })).toBe(
      'x%EF%BF%BD%EF%BF%BDy',
    )
  })

  test('takes values from own properties only', () => {
    expect(expandUriTemplate('x{constructor}{?toString}', {})).toBe('x')
  })
})

describe('matching', () => {
  test('gives decoded values', () => {
    expect(match('notes://{id}', 'notes://caf%C3%A9%2F1')).toEqual({ id: 'café/1' })
    expect(match('test://template/{id}/data', 'test://template/123/data')).toEqual({ id: '123' })
  })

  test('does not let {id} run over a slash, a query or a fragment', () => {
    for (const uri of ['notes://a/b', 'notes://a?b', 'notes://a#b', 'notes:///a']) {
      expect(match('notes://{id}', uri)).toBeUndefined()
    }
  })

  test('lets {id} hold what people leave unencoded', () => {
    expect(match('notes://{id}', 'notes://a:b,c@d e')).toEqual({ id: 'a:b,c@d e' })
    expect(match('notes://café/{id}', 'notes://café/ü')).toEqual({ id: 'ü' })
    expect(match('notes://café/{id}', 'notes://caf%C3%A9/%C3%BC')).toEqual({ id: 'ü' })
  })

  test('wants at least one character where no name shows that a value is there', () => {
    for (const template of ['x:{a}', 'x:{+a}', 'x:{a*}']) {
      expect(match(template, 'x:')).toBeUndefined()
    }
    expect(match('x:{/a}', 'x:/')).toBeUndefined()
    expect(match('x:{/a*}', 'x:/')).toBeUndefined()
    expect(match('x:{#a}', 'x:#')).toBeUndefined()
    expect(match('x:{.a}', 'x:.')).toBeUndefined()
    expect(match('x:{;a}', 'x:;a')).toEqual({ a: '' })
    expect(match('x:{?a}', 'x:?a=')).toEqual({ a: '' })
    expect(match('x:{?a}', 'x:?a')).toEqual({ a: '' })
  })

  test('lets {+path} run over everything, and stop at a query or fragment the template has', () => {
    expect(match('file:///{+path}', 'file:///a/b?c#d')).toEqual({ path: 'a/b?c#d' })
    expect(match('file:///{+path}{?v}', 'file:///a/b?v=1')).toEqual({ path: 'a/b', v: '1' })
    expect(match('file:///{+path}{?v}', 'file:///a/b')).toEqual({ path: 'a/b' })
    expect(match('file:///{+path}{#part}', 'file:///a/b#c#d')).toEqual({ path: 'a/b', part: 'c#d' })
    expect(match('file:///{+path}{?v}', 'file:///a/b#c')).toBeUndefined()
  })

  test('gives lists for exploded variables', () => {
    expect(match('x:/{/path*}', 'x://a/b%2Fc/d')).toEqual({ path: ['a', 'b/c', 'd'] })
    expect(match('x:{path*}', 'x:a,b')).toEqual({ path: ['a', 'b'] })
    expect(match('x:{path*}', 'x:a')).toEqual({ path: ['a'] })
    expect(match('www{.dom*}', 'www.example.com')).toEqual({ dom: ['example', 'com'] })
    expect(match('x:{;tag*}', 'x:;tag=a;tag;tag=b')).toEqual({ tag: ['a', '', 'b'] })
    expect(match('x:{;tag*}', 'x:;tag=a;other=b')).toBeUndefined()
    expect(match('x:{;tag*,id}', 'x:;tag=a;tag=b;id=3')).toEqual({ tag: ['a', 'b'], id: '3' })
    expect(match('x:{/path*}{/name}', 'x:/a/b/c')).toEqual({ path: ['a', 'b'], name: 'c' })
    expect(match('x:{?tag*}', 'x:?tag=a&y=1&tag=b')).toEqual({ tag: ['a', 'b'] })
  })

  test('takes several variables of one expression apart', () => {
    expect(match('map://{x,y}', 'map://1024,768')).toEqual({ x: '1024', y: '768' })
    expect(match('map://{x,y}', 'map://1024')).toBeUndefined()
    expect(match('x:{/a,b}/c/{+rest}', 'x:/c/c/c/x')).toEqual({ a: 'c', b: 'c', rest: 'x' })
    expect(match('x:{;a,b}', 'x:;a=1;b=2')).toEqual({ a: '1', b: '2' })
    expect(match('x:{;a,ab}', 'x:;ab=1;a=2')).toBeUndefined()
    expect(match('file{.name,ext}', 'file.a.b')).toEqual({ name: 'a', ext: 'b' })
    expect(match('file{.ext}', 'file.tar.gz')).toEqual({ ext: 'tar.gz' })
  })

  test('reads query parameters in any order, each optional, and ignores others', () => {
    const template = 'search://notes{?q,page}{&sort}'

    expect(match(template, 'search://notes')).toEqual({})
    expect(match(template, 'search://notes?')).toEqual({})
    expect(match(template, 'search://notes?page=2')).toEqual({ page: '2' })
    expect(match(template, 'search://notes?sort=up&utm=x&page=2&q=a%20b+c')).toEqual({
      sort: 'up',
      page: '2',
      q: 'a b+c',
    })
  })

  test('wants the fixed parameters of a query, wherever they stand', () => {
    const template = 'search://notes?kind=note{&page}'

    expect(match(template, 'search://notes?kind=note')).toEqual({})
    expect(match(template, 'search://notes?page=2&kind=note')).toEqual({ page: '2' })
    expect(match(template, 'search://notes?kind=other&page=2')).toBeUndefined()
    expect(match(template, 'search://notes')).toBeUndefined()
  })

  test('treats a question mark as text when the template names no parameters', () => {
    expect(match('x://y?id={id}', 'x://y?id=1')).toEqual({ id: '1' })
    expect(match('x://y?id={id}', 'x://y?id=1&b=2')).toEqual({ id: '1&b=2' })
    expect(match('x://y/{id}', 'x://y/1?b=2')).toBeUndefined()
  })

  test('does not choose between two values of one parameter', () => {
    expect(match('x:{?a}', 'x:?a=1&a=2')).toBeUndefined()
  })

  test('does not match malformed percent-encoding, wherever it is', () => {
    for (const uri of ['x:%', 'x:%2', 'x:%zz', 'x:a%C3', 'x:%FF', 'x:a?b=%', 'x:a?c=%FF']) {
      expect(match('x:{a}{?b}', uri)).toBeUndefined()
    }
  })

  test('never cuts inside a percent-encoded character', () => {
    expect(match('x:{a}2{b}', 'x:%2F2%2F')).toEqual({ a: '/', b: '/' })
    expect(match('x:{a}2{b}', 'x:a%2Fb')).toBeUndefined()
  })

  test('takes as little as fits for {a}, as much as fits for {+a}', () => {
    expect(match('x:{a}.{b}', 'x:1.2.3')).toEqual({ a: '1', b: '2.3' })
    expect(match('x:{+a}.{b}', 'x:1.2.3')).toEqual({ a: '1.2', b: '3' })
    expect(match('x:{a}:{+b}', 'x:1:2:3')).toEqual({ a: '1', b: '2:3' })
    expect(match('x:{+a}/to/{+b}', 'x:1/to/2/to/3')).toEqual({ a: '1/to/2', b: '3' })
  })

  test('holds {name:n} to its length', () => {
    expect(match('x:{a:2}', 'x:%F0%9F%98%80b')).toEqual({ a: '😀b' })
    expect(match('x:{a:2}', 'x:abc')).toBeUndefined()
    expect(match('x:{?a:2}', 'x:?a=abc')).toBeUndefined()
  })

  test('keeps names that mean something to JavaScript as plain names', () => {
    const found = parseUriTemplate('x:{__proto__}{?constructor}').match('x:a?constructor=b')

    expect(Object.entries(found ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
    expect(Object.keys(parseUriTemplate('x:{a}{?constructor}').match('x:a') ?? {})).toEqual(['a'])
  })

  test('matches nothing longer than the limit', () => {
    const { match: read } = parseUriTemplate('{+a}')

    expect(read('x'.repeat(maxUriLength))).toBeDefined()
    expect(read('x'.repeat(maxUriLength + 1))).toBeUndefined()
  })
})

describe('parsing', () => {
  test.each([
    ['notes://{id', 8, 'add "}"'],
    ['notes://id}', 10, '%7D'],
    ['notes://{}', 9, 'letters'],
    ['notes://{a,b-c}', 11, 'letters'],
    ['notes://{=a}', 9, 'use + #'],
    ['notes://{a:0}', 9, '{a:n}'],
    ['notes://{a:3*}', 9, '{a*}'],
    ['notes:// {a}', 8, 'percent-encode'],
    ['notes://%a{b}', 8, 'percent-encode'],
    ['notes://{a}{b}', 11, 'put text between'],
    ['notes://{+a}{b*}', 12, 'put text between'],
    ['notes://{;a}{b}', 12, 'put text between'],
    ['notes://{a}/{a}', 12, 'own name'],
    ['notes://a{?b}{?c}', 13, '{&c}'],
    ['notes://a?x=1{?c}', 13, '{&c}'],
    ['notes://a{&c}', 9, '{?c}'],
    ['notes://a?x={x}{&c}', 15, '{?…}'],
    ['notes://a{?b}/c', 13, '?kind=note{&page}'],
    ['notes://a{?b}{c}', 13, '?kind=note{&page}'],
    ['notes://a{#b}{?c}', 13, 'before the "#"'],
  ])('refuses %s with the position and the cure', (template, position, fix) => {
    let error: unknown
    try {
      parseUriTemplate(template)
    } catch (thrown) {
      error = thrown
    }

    if (!isMcpError(error, 'invalid_definition')) throw new Error('expected invalid_definition')
    expect(error.message).toContain(`position ${position}:`)
    expect(error.message).toContain(fix)
    expect(error.details).toEqual({ feature: template })
  })

  test('refuses templates beyond any use', () => {
    const many = Array.from({ length: 65 }, (_, index) => `{/v${index}}`).join('')

    expect(() => parseUriTemplate(`x:${'x'.repeat(5000)}`)).toThrow('keep it under 4096')
    expect(() => parseUriTemplate(`x:${many}`)).toThrow('use at most 64')
  })

  test('names the variables in order', () => {
    expect(parseUriTemplate('x:{a}/{+b}{?c*,d:3}').variables).toEqual(['a', 'b', 'c', 'd'])
  })

  test('takes anything with a brace for a template, so that a typing error is reported', () => {
    expect(isUriTemplate('notes://{id}')).toBe(true)
    expect(isUriTemplate('notes://{id')).toBe(true)
    expect(isUriTemplate('notes://id')).toBe(false)
  })
})

describe('for every template and value', () => {
  /*
   * The domain in which a URI says everything about its values: variables are separated by a slash or by their
   * operator; a positional value is not empty; no value before the query holds a dot, which separates `{.x}` and is never
   * encoded; a reserved value holds nothing that ends it, not the `+` of the text that stands before it, which a list
   * would take for its own, and no percent sign, whose reading depends on what follows it;
   * there are no prefixes, which lose the rest.
   */
  const queryText = fc.string({ unit: 'grapheme', maxLength: 8 })
  const anyText = queryText.filter((text) => !text.includes('.'))
  const someText = anyText.filter((text) => text !== '')
  const reservedText = someText.filter((text) => !/[%?#+]/.test(text))
  const list = (element: fc.Arbitrary<string>) => fc.array(element, { minLength: 1, maxLength: 3 })

  const kinds = {
    '/{': someText,
    '/{*': list(someText),
    '{/': someText,
    '{/*': list(someText),
    '{.': someText,
    '{.*': list(someText),
    '{;': anyText,
    '{;*': list(anyText),
  }
  interface Piece {
    readonly template: (name: string) => string
    readonly value: string | readonly string[] | undefined
  }
  function piece(kind: string, value: Piece['value']): Piece {
    const brace = kind.indexOf('{')
    const star = kind.endsWith('*') ? '*' : ''
    const operator = kind.slice(brace + 1).replace('*', '')
    return { template: (name) => `${kind.slice(0, brace)}{${operator}${name}${star}}`, value }
  }
  const pathPieces = fc.array(
    fc.oneof(
      ...Object.entries(kinds).map(([kind, values]) =>
        (values as fc.Arbitrary<string | string[]>).map((value) => piece(kind, value)),
      ),
    ),
    { maxLength: 4 },
  )
  const reservedPiece = fc.option(
    reservedText.map((value) => piece('/+/{+', value)),
    { nil: undefined },
  )
  const queryPieces = fc.array(
    fc.record({ value: fc.option(fc.oneof(queryText, list(queryText)), { nil: undefined }) }),
    { maxLength: 3 },
  )

  const cases = fc
    .record({ path: pathPieces, reserved: reservedPiece, query: queryPieces })
    // Two exploded lists of one operator side by side share their separator, so only one of them is generated.
    .filter(({ path }) => path.filter((each) => each.template('x').endsWith('*}')).length <= 1)
    .map(({ path, reserved, query }) => {
      const pieces = [...path, ...(reserved ? [reserved] : [])]
      const values: Record<string, string | readonly string[]> = {}
      let template = 'x:/start'
      for (const [index, each] of pieces.entries()) {
        template += each.template(`v${index}`)
        if (each.value !== undefined) values[`v${index}`] = each.value
      }
      if (query.length > 0) {
        const names = query.map(({ value }, index) => `q${index}${Array.isArray(value) ? '*' : ''}`)
        template += `{?${names.join(',')}}`
      }
      for (const [index, { value }] of query.entries()) {
        if (value !== undefined) values[`q${index}`] = value
      }
      return { template, values }
    })

  test('matching gives back what was expanded, and expanding what was matched', () => {
    fc.assert(
      fc.property(cases, ({ template, values }) => {
        const parsed = parseUriTemplate(template)
        const uri = parsed.expand(values)

        const found = parsed.match(uri)

        expect({ ...found }).toEqual(values)
        expect(parsed.expand(found ?? {})).toBe(uri)
      }),
      { numRuns: tries(1000) },
    )
  })

  test('whatever matches expands to a URI that matches the same', () => {
    const templates = [
      '{a}',
      '{+a}',
      'x{/a*}',
      '{a}:{+b}',
      '{+a}/{b}{?c,d*}',
      'x{;a,b}{#c}',
      '{a,b}',
    ]
    const noise = fc.string({
      unit: fc.constantFrom(...Array.from('ab/:?#,;=&.%2Fx+é')),
      maxLength: 12,
    })
    fc.assert(
      fc.property(fc.constantFrom(...templates), noise, (template, text) => {
        const parsed = parseUriTemplate(template)
        const found = parsed.match(`x${text}`)
        // A percent sign in a reserved value is read as the start of a triplet, as the RFC says.
        fc.pre(found !== undefined && !Object.values(found).flat().join('').includes('%'))
        const again = parsed.match(parsed.expand(found ?? {}))
        // Decoding can turn an encoded separator of a reserved value into a plain one; nothing else may change.
        if (!template.includes('+') && !template.includes('#')) expect(again).toEqual(found)
        else expect(again).toBeDefined()
      }),
      { numRuns: tries(500) },
    )
  })
})

describe('the work of matching', () => {
  const hostile = [
    ['{+a}{/b*}', '/'],
    ['x:{+a}/{+b}', '/'],
    ['x:{+a},{+b},{+c}', ','],
    ['x:{+a}aa{+b}aa{+c}aa{+d}', 'a'],
    ['x:{/a*}/b{/c*}', '/b'],
    ['x:{a*}.{b*}', ',.'],
    ['x:{;a*}', ';a'],
  ] as const

  test.each(hostile)('grows with the length of the URI and no faster for %s', (template, unit) => {
    const matcher = createUriMatcher(compileTemplate(template, parseTemplateParts(template)))
    const stepsFor = (length: number) => {
      const meter = { steps: 0 }
      matcher(`x:${unit.repeat(length / unit.length)}\u0001`, meter)
      matcher(`x:${unit.repeat(length / unit.length)}`, meter)
      return meter.steps
    }

    const [short, long] = [stepsFor(1000), stepsFor(32_000)]

    expect(short).toBeGreaterThan(0)
    expect(long / short).toBeLessThan(33)
    expect(long).toBeLessThan(2 * 32_100 * 2 * template.length)
  })
})

describe('the types of variables', () => {
  test('say string, maybe, or list', () => {
    expectTypeOf<UriVariables<'notes://{id}'>>().toEqualTypeOf<{ readonly id: string }>()
    expectTypeOf<UriVariables<'x://{a,b}/{+path}{?page,tags*}{&sort}{#part}'>>().toEqualTypeOf<{
      readonly a: string
      readonly b: string
      readonly path: string
      readonly page?: string
      readonly tags?: readonly string[]
      readonly sort?: string
      readonly part: string
    }>()
    expectTypeOf<UriVariables<'x:{/path*}{.ext:3}{;k}'>>().toEqualTypeOf<{
      readonly path: readonly string[]
      readonly ext: string
      readonly k: string
    }>()
  })

  test('know nothing of a template that is not a literal', () => {
    expectTypeOf<UriVariables<string>>().toEqualTypeOf<{
      readonly [name: string]: string | readonly string[] | undefined
    }>()
  })
})
