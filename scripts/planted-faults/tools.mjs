/** In `packages/tools`. They break no requirement of the catalogue by themselves: any test of the file may notice them. */

/** @type {readonly import('./index.mjs').PlantedFault[]} */
export const toolsFaults = [
  {
    id: 'tools-01',
    file: 'packages/tools/src/openapi/base-url.ts',
    find: 'if (!hosts.has(located.host)) {',
    put: 'if (hosts.size > 9) {',
    test: 'packages/tools/test/openapi/requests.test.ts',
    title: '',
  },
  {
    id: 'tools-02',
    file: 'packages/tools/src/openapi/base-url.ts',
    find: "located.protocol === 'http:' && base.protocol === 'https:'",
    put: "located.protocol === 'ftp:' && base.protocol === 'https:'",
    test: 'packages/tools/test/openapi/requests.test.ts',
    title: '',
  },
  {
    id: 'tools-03',
    file: 'packages/tools/src/openapi/serialize.ts',
    find: 'const reserved = /%(?:3A|2F|3F|40',
    put: 'const reserved = /%(?:26|23|3A|2F|3F|40',
    test: 'packages/tools/test/openapi/requests.test.ts',
    title: '',
  },
  {
    id: 'tools-04',
    file: 'packages/tools/src/openapi/serialize.ts',
    find: 'if (!isJsonObject(value)) return encodeURIComponent(plain(value))',
    put: 'if (!isJsonObject(value)) return plain(value)',
    test: 'packages/tools/test/openapi/requests.test.ts',
    title: '',
  },
  {
    id: 'tools-05',
    file: 'packages/tools/src/openapi/base-url.ts',
    find: "if (parsed.username !== '' || parsed.password !== '') {",
    put: "if (parsed.username === 'x') {",
    test: 'packages/tools/test/openapi/requests.test.ts',
    title: '',
  },
]
