import { randomUUID } from 'node:crypto'
import type { Sandbox } from '@agency/sandbox'
import { cloudflareAt } from '../../../../test/cloudflare.ts'
import type { TestContext } from '../../../../test/context.ts'
import type { Caller } from '../../../../test/request.ts'

type Parts = { console: TestContext; sandbox: Sandbox; root: Caller }

/** One call of each that changes something, ready to succeed. */
export const recordSamples = (parts: () => Parts) => {
  const open = async () => {
    const { console: test, sandbox, root } = parts()
    if (!test.ctx.cloudflare) test.ctx.replace({ cloudflare: cloudflareAt(sandbox.cloudflare) })
    const { domains } = (await root.get('/cloudflare/domains?limit=1')).json()
    const base = `/cloudflare/zones/${domains[0].id}/records`
    const record = { type: 'TXT', name: `t${randomUUID()}`, ttl: 300, content: 'sample' }
    const add = async () => {
      const answer = (await root.post(base, { record })).json()
      const { id, ...shown } = answer.record
      return { id, shown, change_id: answer.change_id }
    }
    return { caller: root, base, record, add }
  }
  return {
    createRecord: async () => {
      const { caller, base, record } = await open()
      return { caller, path: base, body: { record } }
    },
    updateRecord: async () => {
      const { caller, base, record, add } = await open()
      const { id, shown } = await add()
      return { caller, path: `${base}/${id}`, body: { shown, record: { ...record, content: 'changed' } } }
    },
    deleteRecord: async () => {
      const { caller, base, add } = await open()
      const { id, shown } = await add()
      return { caller, path: `${base}/delete`, body: { shown: { id, ...shown } } }
    },
    addZone: async () => {
      const { caller } = await open()
      return { caller, path: '/cloudflare/zones', body: { name: `z${randomUUID()}.example` } }
    },
    changeZoneSetting: async () => {
      const { caller, base } = await open()
      const path = base.replace('/records', '/settings')
      const { settings } = (await caller.get(path)).json()
      const shown = settings.find(({ name }: { name: string }) => name === 'min_tls_version').value
      return { caller, path, body: { name: 'min_tls_version', shown, value: shown === '1.2' ? '1.3' : '1.2' } }
    },
    undoRecordChange: async () => {
      const { caller, base, add } = await open()
      return { caller, path: `${base}/undo`, body: { change_id: (await add()).change_id } }
    },
  }
}
