import type { Sandbox } from '@agency/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { request } from '../../../test/request.ts'
import { addSite, resolveWith, siteOf } from './test/world.ts'

let sandbox: Sandbox
let stop: () => Promise<void>
let console: TestContext

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 43 } }))
  console = await createTestContext()
  resolveWith(console, async () => ['127.0.0.1'])
  const { httpPort, httpsPort, ca, hosts } = sandbox.hosting
  const served = new Set(hosts)
  console.ctx.replace({ demoHosts: { hosts: () => served, address: '127.0.0.1', httpPort, httpsPort, ca } })
})

afterAll(async () => {
  await console?.close()
  await stop?.()
})

/** A site as the demo has it: served over https under its own domain. */
async function probed(label: string) {
  const url = `http://${label}.localhost:${sandbox.hosting.httpPort}`
  const id = await addSite(console, { domain: `${label}.example`, deployment_url: url })
  const operator = request(console.ctx).as(['sites.read', 'sites.write'])
  const { run } = (await operator.post(`/sites/${id}/probe`)).json()
  const { performance } = (await operator.get(`/sites/${id}/performance`)).json()
  return { run, certificate: performance.certificate, site: await siteOf(console, id) }
}

test('measures a site that is well over https, with its certificate', async () => {
  const { run, certificate, site } = await probed('oldportbikes')
  expect(run).toMatchObject({ outcome: 'ok', status_code: 200, url: 'https://oldportbikes.example/', redirects: 0 })
  expect(run.tls_ms).toBeGreaterThan(0)
  expect(site).toMatchObject({ health_status: 'healthy', ssl_status: 'active', ssl_issuer: 'Sandbox Trust Services' })
  expect(certificate).toMatchObject({ is_trusted: true, problem: null, subject: 'oldportbikes.example' })
  expect(certificate.names).toContain('www.oldportbikes.example')
  expect(certificate.days_left).toBeGreaterThan(50)
})

test('sees what is wrong with a certificate', async () => {
  const ending = await probed('sokolova-ceramics')
  expect(ending.site).toMatchObject({ health_status: 'degraded', ssl_status: 'active' })
  expect(ending.certificate.days_left).toBeLessThan(14)
  const expired = await probed('tidewateryoga')
  expect(expired.site).toMatchObject({ health_status: 'degraded', ssl_status: 'expired' })
  expect(expired.certificate).toMatchObject({ is_trusted: false, problem: 'Expired' })
  const foreign = await probed('seabright')
  expect(foreign.site).toMatchObject({ health_status: 'degraded', ssl_status: 'error' })
  expect(foreign.certificate).toMatchObject({ is_trusted: false, problem: 'Issued for another name' })
})

test('sees a site that fails, and one that redirects for ever', async () => {
  expect((await probed('monheganferry')).run).toMatchObject({ outcome: 'failed', status_code: 500 })
  const loop = await probed('wiscassetantiques')
  expect(loop.run).toMatchObject({ outcome: 'failed', status_code: null, redirects: 5 })
  expect(loop.run.detail).toBe('More than 5 redirects')
})

test('reaches nothing on this machine but the hosts of the sandbox', async () => {
  const { run } = await probed('nobody-hosts-this')
  expect(run).toMatchObject({ outcome: 'failed', status_code: null })
  const operator = request(console.ctx).as(['sites.write'])
  const inside = await addSite(console, { domain: 'localhost', deployment_url: null })
  expect((await operator.post(`/sites/${inside}/probe`)).json().run.detail).toContain('not on the public internet')
  const own = await addSite(console, { domain: 'barharborbrewing.example', deployment_url: null })
  console.ctx.replace({ demoHosts: null })
  const blocked = (await operator.post(`/sites/${own}/probe`)).json().run
  expect(blocked).toMatchObject({ outcome: 'failed', connect_ms: null })
})
