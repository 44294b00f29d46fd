import { randomInt } from 'node:crypto'
import type { Sandbox } from '@agency/sandbox'
import { cloudflareAt } from '../../../../test/cloudflare.ts'
import type { TestContext } from '../../../../test/context.ts'
import type { Caller } from '../../../../test/request.ts'

type Parts = { console: TestContext; sandbox: Sandbox; root: Caller }

/** One call of each that changes something, ready to succeed. */
export function deploymentSamples(parts: () => Parts) {
  async function site(): Promise<string> {
    const { console: test, sandbox } = parts()
    if (!test.ctx.cloudflare) test.ctx.replace({ cloudflare: cloudflareAt(sandbox.cloudflare) })
    const number = randomInt(2 ** 40)
    const id = `site_${String(number).padStart(16, '0')}`
    await test.ctx.pool.query(
      `insert into sites (id, site_name, domain, status, provider, provider_settings, created_at, updated_at)
       values ($1, 'Shop', $2, 'active', 'pages', $3, now(), now())`,
      [id, `shop-${number}.example`, JSON.stringify({ project: `shop-${number}` })],
    )
    return id
  }

  async function ended(siteId: string, status: 'success' | 'failed'): Promise<string> {
    const { rows } = await parts().console.ctx.pool.query(
      `insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, build_id, queued_at,
         started_at, completed_at)
       select $1, id, 'deploy', 'console', $2, 'pages', 'pages:' || (provider_settings ->> 'project'), $1, $1, now(),
         now(), now() from sites where id = $3 returning id`,
      [`dep_${String(randomInt(2 ** 40)).padStart(16, '0')}`, status, siteId],
    )
    return rows[0].id
  }

  const rings = async (): Promise<string> =>
    (await parts().root.post('/deployment-rings', { site_ids: [await site()] })).json().rollout.id

  return {
    startRingRollout: async () => ({
      ...{ caller: parts().root, path: '/deployment-rings' },
      body: { site_ids: [await site(), await site()], reason: 'News' },
    }),
    continueRingRollout: async () => {
      const id = await rings()
      await parts().console.ctx.pool.query(`update runs set state = 'failed' where id = $1`, [id])
      await parts().console.ctx.pool.query(`update run_steps set state = 'failed' where run_id = $1 and name = 'end'`, [
        id,
      ])
      return { caller: parts().root, path: `/deployment-rings/${id}/continue` }
    },
    cancelRingRollout: async () => ({ caller: parts().root, path: `/deployment-rings/${await rings()}/cancel` }),
    createDeployment: async () => ({
      caller: parts().root,
      path: `/sites/${await site()}/deployments`,
      body: { reason: 'News' },
    }),
    retryDeployment: async () => ({
      caller: parts().root,
      path: `/deployments/${await ended(await site(), 'failed')}/retry`,
      body: {},
    }),
    cancelDeployment: async () => {
      const queued = await parts().root.post(`/sites/${await site()}/deployments`, {})
      return { caller: parts().root, path: `/deployments/${queued.json().deployment.id}/cancel` }
    },
    rollbackSite: async () => {
      const id = await site()
      const older = await ended(id, 'success')
      await ended(id, 'success')
      return { caller: parts().root, path: `/sites/${id}/rollback`, body: { to: older } }
    },
  }
}
