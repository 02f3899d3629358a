import { describe, expect, test } from 'vitest'

import { expandTemplate, variablesOf } from '../../../page/resources/uri-template.ts'

describe('an address with gaps', () => {
  // From the examples of RFC 6570, section 3.2.
  const values = { var: 'value', hello: 'Hello World!', path: '/foo/bar', x: '1024', y: '768' }
  test.each([
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{+hello}', 'Hello%20World!'],
    ['{+path}/here', '/foo/bar/here'],
    ['{#path,x}/here', '#/foo/bar,1024/here'],
    ['X{.x,y}', 'X.1024.768'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{;x,y}', ';x=1024;y=768'],
    ['{?x,y}', '?x=1024&y=768'],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{var:3}', 'val'],
    ['{?missing}', ''],
    ['demo://text/{missing}', 'demo://text/'],
  ])('%s is filled as %s', (template, address) => {
    expect(expandTemplate(template, values)).toBe(address)
  })

  test('the names of the gaps are found once each', () => {
    expect(variablesOf('a/{x}/{?y,x*}{#z:3}')).toEqual(['x', 'y', 'z'])
  })
})
