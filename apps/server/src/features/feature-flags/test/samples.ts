import type { FeatureFlag } from '@agency/contract/feature-flags'
import type { Caller } from '../../../../test/request.ts'

type Sent = { caller: Caller; path: string; body?: unknown }

let made = 0

export async function makeFlag(caller: Caller, terms: Record<string, unknown> = {}): Promise<FeatureFlag> {
  made++
  const answer = await caller.post('/features', { name: `flag-${made}`, ...terms })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().flag
}

/** One call of every endpoint of feature flags that changes something, ready to succeed. */
export function flagSamples(root: () => Caller): Record<string, () => Promise<Sent>> {
  const to = async (act: string, body: (flag: FeatureFlag) => object = () => ({})): Promise<Sent> => {
    const flag = await makeFlag(root())
    return { caller: root(), path: `/features/${flag.id}${act}`, body: body(flag) }
  }
  const steps = [{ rollout_percentage: 10 }, { rollout_percentage: 100, wait_minutes: 60 }]
  const rollout = async (act: string, before: readonly string[] = []): Promise<Sent> => {
    const { id, version } = await makeFlag(root())
    await root().post(`/features/${id}/rollout`, { version, steps })
    for (const earlier of before) await root().post(`/features/${id}/rollout/${earlier}`)
    return { caller: root(), path: `/features/${id}/rollout/${act}`, body: {} }
  }
  return {
    createFeatureFlag: async () => ({ caller: root(), path: '/features', body: { name: `flag-of-sample-${++made}` } }),
    updateFeatureFlag: () => to('', ({ version }) => ({ version, enabled: true })),
    archiveFeatureFlag: () => to('/archive'),
    restoreFeatureFlag: async () => {
      const { id } = await makeFlag(root())
      await root().post(`/features/${id}/archive`)
      return { caller: root(), path: `/features/${id}/restore`, body: {} }
    },
    revertFeatureFlag: async () => {
      const { id, version } = await makeFlag(root())
      const { flag } = (await root().patch(`/features/${id}`, { version, enabled: true })).json()
      return { caller: root(), path: `/features/${id}/revert`, body: { to: version, version: flag.version } }
    },
    startFlagRollout: () => to('/rollout', ({ version }) => ({ version, steps })),
    pauseFlagRollout: () => rollout('pause'),
    resumeFlagRollout: () => rollout('resume', ['pause']),
    cancelFlagRollout: () => rollout('cancel'),
  }
}
