import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { PreparedJson, PreparedResponse, textOf } from '../../src/rpc/json/json-text.ts'

test('a response in pieces is the response in one, whatever its id and result', () => {
  const id = fc.oneof(fc.integer(), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(id, fc.json(), (requestId, result) => {
      const response = new PreparedResponse(requestId, new PreparedJson(result))
      const pieces = [response.before, response.json.bytes, response.after]
      const joined = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))) // or bytes

      expect(JSON.parse(joined.toString())).toEqual(
        JSON.parse(`{"jsonrpc":"2.0","id":${JSON.stringify(requestId)},"result":${result}}`),
      )
      expect(textOf(response)).toBe(joined.toString())
    }),
  )
})

test('the bytes of a result are made once', () => {
  const json = new PreparedJson('{"tools":["ü"]}')
  expect(json.bytes).toBe(json.bytes)
})
