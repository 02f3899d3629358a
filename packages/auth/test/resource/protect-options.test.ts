import { oauthGuard } from '@parley/auth/resource'
import { expect, test } from 'vitest'

test.each([
  ['nothing', {}],
  ['a misspelt option', { issuers: 'https://login.example.com' }],
  ['no issuer of several', { issuer: [] }],
  ['rules without one', { issuer: [{ jwksUri: 'https://login.example.com/keys' }] }],
])('protecting with %s is refused, and says how it is done', (_, options) => {
  expect(() => oauthGuard(options as never)).toThrow(/protect needs an issuer, as in protect\(/)
})

test.each([
  ['login.example.com', 'it is not a valid URL'],
  ['http://login.example.com', 'it is not https'],
  ['https://ada:pw@login.example.com', 'it contains a user name or password'],
  ['', 'it is not a valid URL'],
])('an issuer %j that can never be asked is refused at once [AUTH-04]', (issuer, why) => {
  expect(() => oauthGuard({ issuer })).toThrow(why)
})

test('an issuer that nobody has to ask may be called anything', () => {
  const verify = async () => undefined

  expect(() => oauthGuard({ issuer: 'accounts', verify })).not.toThrow()
  expect(() => oauthGuard({ issuer: { issuer: 'accounts', verify } })).not.toThrow()
  expect(() =>
    oauthGuard({ issuer: { issuer: 'accounts', jwksUri: 'https://a.example/keys' } }),
  ).not.toThrow()
  expect(() => oauthGuard({ issuer: 'http://localhost:3000' })).not.toThrow()
})
