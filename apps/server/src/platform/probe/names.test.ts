import { spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { addressesOf } from './names.ts'

const resolvers: Socket[] = []

afterEach(() => {
  for (const resolver of resolvers.splice(0)) resolver.close()
})

const typeA = 1
const noSuchName = 3
const serverFailure = 2

type Reply = { code: number; addresses?: number[][] }

/** A resolver that answers each question about IPv4 as told, and each about IPv6 with nothing; undefined: it is silent. */
async function resolver(reply: (name: string) => Reply | undefined): Promise<{ server: string; asked: () => number }> {
  const socket = createSocket('udp4')
  resolvers.push(socket)
  let asked = 0
  socket.on('message', (query, from) => {
    asked += 1
    const labels: string[] = []
    let at = 12
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const question = query.subarray(12, at + 5)
    const told = reply(labels.join('.'))
    if (!told) return
    const addresses = query.readUInt16BE(at + 1) === typeA ? (told.addresses ?? []) : []
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(0x8180 | told.code, 2)
    head.writeUInt16BE(addresses.length, 6)
    head.writeUInt32BE(0, 8)
    const records = addresses.map((address) => Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, ...address]))
    socket.send(Buffer.concat([head, question, ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${socket.address().port}`, asked: () => asked }
}

test('a name leads to its addresses, to none, or the resolver does not tell', async () => {
  const { server } = await resolver((name) => {
    if (name === 'shop.example') return { code: 0, addresses: [[192, 0, 2, 7]] }
    return { code: name === 'gone.example' ? noSuchName : name === 'empty.example' ? 0 : serverFailure }
  })
  const servers = [server]
  expect(await addressesOf('shop.example', { servers })).toEqual(['192.0.2.7'])
  expect(await addressesOf('gone.example', { servers })).toEqual([])
  expect(await addressesOf('empty.example', { servers })).toEqual([])
  await expect(addressesOf('broken.example', { servers })).rejects.toMatchObject({ code: 'EAI_AGAIN' })
})

test('looking up a name ends with whoever asked for it', async () => {
  const { server, asked } = await resolver(() => undefined)
  const stopping = new AbortController()
  const looking = addressesOf('silent.example', { servers: [server], signal: stopping.signal })
  const failed = expect(looking).rejects.toThrow('does not tell where silent.example is')
  await expect.poll(asked).toBeGreaterThan(0)
  stopping.abort()
  await failed
})

test('a process that looks up names ends when it is asked to, however silent the resolver', async () => {
  const { server } = await resolver(() => undefined)
  const names = fileURLToPath(new URL('names.ts', import.meta.url))
  const program = `
    const { addressesOf } = await import(${JSON.stringify(names)})
    for (let i = 0; i < 40; i++) addressesOf('n' + i + '.example', { servers: [${JSON.stringify(server)}] }).catch(() => console.log('told'))
    setTimeout(() => process.exit(7), 50)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  // None was given up before, so that the end waited for none of them.
  expect({ code, output }).toEqual({ code: 7, output: '' })
})
