import type { Caller } from '../../../../test/request.ts'
import type { AppContext } from '../../../context.ts'
import { newQueryId, orderOf } from './ask.ts'

type Sent = { caller: Caller; path: string; body?: unknown }

/** One call of every endpoint of the SQL console that changes something, ready to succeed. */
export function sqlSamples(ctx: () => AppContext, root: () => Caller): Record<string, () => Promise<Sent>> {
  const terms = { name: 'All customers', query: 'select * from customers', is_shared: true }
  const snippet = async (): Promise<string> => (await root().post('/admin/sql/snippets', terms)).json().snippet.id
  const asked = () => ({ id: newQueryId(), query: 'select 1' })
  const note = `insert into customer_notes (id, customer_id, text, author_type, author_id, author_name, created_at)
    values ($1, 'cus_1', 'By SQL', 'user', 'u', 'U', now())`
  const order = () => orderOf({ query: note, parameters: [newQueryId()] })
  const pending = async (): Promise<string> => (await root().post('/admin/sql/writes', order())).json().write.id
  return {
    runQuery: async () => ({ caller: root(), path: '/admin/sql/queries', body: asked() }),
    explainQuery: async () => ({ caller: root(), path: '/admin/sql/explain', body: asked() }),
    cancelQuery: async () => {
      const { id, query } = asked()
      await ctx().pool.query(
        `insert into sql_queries (id, actor_type, actor_id, actor_name, kind, query, sees_personal, status, executed_at)
         values ($1, 'admin_key', 'admin_key', 'Admin key', 'read', $2, true, 'processing', now())`,
        [id, query],
      )
      return { caller: root(), path: `/admin/sql/queries/${id}/cancel` }
    },
    createSnippet: async () => ({ caller: root(), path: '/admin/sql/snippets', body: terms }),
    updateSnippet: async () => ({
      ...{ caller: root(), path: `/admin/sql/snippets/${await snippet()}` },
      body: { ...terms, version: 1, name: 'Customers' },
    }),
    deleteSnippet: async () => ({ caller: root(), path: `/admin/sql/snippets/${await snippet()}` }),
    rollBackWrite: async () => ({ caller: root(), path: `/admin/sql/writes/${await pending()}/roll-back` }),
    commitWrite: async () => ({ caller: root(), path: `/admin/sql/writes/${await pending()}/commit` }),
    startWrite: async () => ({ caller: root(), path: '/admin/sql/writes', body: order() }),
  }
}
