const swc = require('@swc/core')

// The cruiser hands .tsx files to its parser as if they held no JSX (17.4.3), and would stop at the first tag.
const parse = swc.parseFileSync
swc.parseFileSync = (file, options) => parse(file, { ...options, tsx: file.endsWith('.tsx') })

const test = '\\.test\\.tsx?$|/test/'
const packageOf = (...names) => `(^|/)node_modules/(${names.join('|')})/`
const server = '^apps/server/src/'
const web = '^apps/web/src/'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'contract-alone',
      comment: 'The contract is read by both sides and by outside callers: it imports zod and nothing else.',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: test },
      to: { pathNot: ['^packages/contract/src/', packageOf('zod')] },
    },
    {
      name: 'sandbox-alone',
      comment: 'The sandbox imitates the providers; sharing our types would share our mistakes.',
      severity: 'error',
      from: { path: '^packages/sandbox/' },
      to: { path: '^(apps|e2e|scripts|packages/(?!sandbox/))' },
    },
    {
      name: 'web-not-server',
      comment: 'The web app runs in a browser: no server code, no sandbox, nothing of Node.',
      severity: 'error',
      from: { path: web, pathNot: test },
      to: { path: ['^apps/server/', '^packages/sandbox/', packageOf('node')] },
    },
    {
      name: 'web-not-node',
      comment: 'The web app runs in a browser: nothing of Node.',
      severity: 'error',
      from: { path: web, pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'server-not-web',
      comment: 'The server serves the built web app and knows nothing of its sources.',
      severity: 'error',
      from: { path: '^apps/server/' },
      to: { path: '^apps/web/' },
    },
    {
      name: 'feature-face',
      comment: 'A feature is reached through its index.ts only, so that all behind it can change.',
      severity: 'error',
      from: { path: `${server}(?:features/([^/]+)/|(?:app|main|worker|context)\\.ts$)` },
      to: {
        path: `${server}features/[^/]+/`,
        pathNot: [`${server}features/$1/`, `${server}features/[^/]+/index\\.ts$`],
      },
    },
    {
      name: 'web-features-apart',
      comment: 'Features of the web app never import each other; app/ composes them.',
      severity: 'error',
      from: { path: `${web}features/([^/]+)/` },
      to: { path: `${web}features/`, pathNot: `${web}features/$1/` },
    },
    {
      name: 'one-way',
      comment: 'On the server features stand on platform, integrations and db, never the other way round.',
      severity: 'error',
      from: { path: `${server}(platform|integrations|db)/`, pathNot: test },
      to: { path: `${server}(features/|commands/|(app|main|worker)\\.ts$)` },
    },
    {
      name: 'one-way-web',
      comment: 'On the web app/ stands on features, and both on ui, lib and theme, never the other way round.',
      severity: 'error',
      from: { path: `${web}(?:features|ui|lib|theme)/`, pathNot: test },
      to: { path: `${web}app/` },
    },
    {
      name: 'base-without-features',
      comment: 'What every feature of the web stands on knows none of them.',
      severity: 'error',
      from: { path: `${web}(ui|lib|theme)/`, pathNot: test },
      to: { path: `${web}features/` },
    },
    {
      name: 'sql-home',
      comment: 'SQL lives in queries, db and platform, so that it can be found and read in one place.',
      severity: 'error',
      from: {
        path: server,
        pathNot: [
          test,
          `${server}(db|platform)/`,
          `${server}context\\.ts$`,
          `${server}features/[^/]+/queries(\\.ts$|/)`,
        ],
      },
      to: { path: packageOf('kysely', 'pg') },
    },
    {
      name: 'sdk-home',
      comment: "A provider's SDK stays behind its gateway; the rest of the server speaks our words.",
      severity: 'error',
      from: { path: server, pathNot: [test, `${server}integrations/(stripe|cloudflare|s3)/`] },
      to: { path: packageOf('stripe', 'cloudflare', 's3mini') },
    },
    {
      name: 'queue-home',
      comment: 'Jobs are data for everybody but the one place that runs them.',
      severity: 'error',
      from: { path: server, pathNot: [test, `${server}platform/jobs(\\.ts$|/)`] },
      to: { path: packageOf('pg-boss') },
    },
    {
      name: 'http-home',
      comment: 'Features answer endpoints of the contract; only the mount and webhooks know the HTTP server.',
      severity: 'error',
      from: { path: server, pathNot: [test, `${server}app\\.ts$`, `${server}platform/http/`, '/webhook(\\.ts$|/)'] },
      to: { path: packageOf('fastify', '@fastify') },
    },
    {
      name: 'thin-face',
      comment:
        'The face of a feature names handlers and jobs and holds no logic: contract, its own files, the two tables.',
      severity: 'error',
      from: { path: `${server}features/([^/]+)/(index|routes)\\.ts$` },
      to: {
        pathNot: [
          '^packages/contract/',
          `${server}features/$1/`,
          `${server}platform/(http/routes|job|caches)\\.ts$`,
          packageOf('zod'),
        ],
      },
    },
    {
      name: 'ui-is-dumb',
      comment: 'Building blocks know neither the API nor the routes, so that any screen can use them.',
      severity: 'error',
      from: { path: `${web}ui/`, pathNot: test },
      to: { path: ['^packages/contract/', `${web}lib/api`, packageOf('react-router')] },
    },
    {
      name: 'no-cycles',
      comment: 'Two modules that need each other are one module, or miss a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A module that nobody imports and that imports nothing is left over.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [test, '\\.(config|d)\\.[cm]?ts$', '(^|/)\\.[^/]+\\.cjs$', '^scripts/', '^e2e/', '^apps/web/public/'],
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: [
        '^(apps|packages)/[^/]+/dist/',
        '(^|/)(test-results|playwright-report|\\.gallery)/',
        '^scripts/boundaries/',
      ],
    },
    // Type imports count too: a type that crosses a boundary couples both sides.
    tsPreCompilationDeps: true,
    parser: 'swc',
    combinedDependencies: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}
