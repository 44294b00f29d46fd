import type { Store } from '../store/store.ts'
import { type Build, isOpen } from './build.ts'

/** The builds of the deploy hooks, and which one each site shows. */
export function buildsIn({ pool, schema }: Store) {
  const one = async (text: string, values: unknown[]) => (await pool.query<{ doc: Build }>(text, values)).rows[0]?.doc
  return {
    async save(build: Build): Promise<void> {
      await pool.query(
        `insert into ${schema}.hosting_builds (id, label, created, is_open, doc) values ($1, $2, $3, $4, $5)
         on conflict (id) do update set is_open = excluded.is_open, doc = excluded.doc`,
        [build.build_id, build.label, Date.parse(build.created_at), isOpen(build), JSON.stringify(build)],
      )
    },
    find: (label: string, id: string) =>
      one(`select doc from ${schema}.hosting_builds where label = $1 and id = $2`, [label, id]),
    findOfDeployment: (label: string, deployment: string) =>
      one(`select doc from ${schema}.hosting_builds where label = $1 and doc->>'deployment_id' = $2`, [
        label,
        deployment,
      ]),
    async open(): Promise<Build[]> {
      const text = `select doc from ${schema}.hosting_builds where is_open order by created`
      return (await pool.query<{ doc: Build }>(text)).rows.map(({ doc }) => doc)
    },
    async serve(label: string, build: string): Promise<void> {
      await pool.query(
        `insert into ${schema}.hosting_served (label, build) values ($1, $2)
         on conflict (label) do update set build = excluded.build`,
        [label, build],
      )
    },
    served: (label: string) =>
      one(
        `select b.doc from ${schema}.hosting_served s join ${schema}.hosting_builds b on b.id = s.build
         where s.label = $1`,
        [label],
      ),
  }
}

export type Builds = ReturnType<typeof buildsIn>
