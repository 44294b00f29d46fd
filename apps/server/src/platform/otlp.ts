import type { Context, Span as OtelSpan } from '@opentelemetry/api'
import type { Span, SpanKind, Tracer } from './tracing.ts'

const flushWithinMs = 500

/** Sends spans to a collector, as OTLP over HTTP. Loaded only where one is configured. */
export async function openTracer(endpoint: string, version: string): Promise<Tracer> {
  const [api, { BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: 10_000 })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'agency-console', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 2000, maxQueueSize: 4096 })],
  })
  // Not registered globally: nothing but what is written here makes spans.
  const tracer = provider.getTracer('agency-console', version)
  const { ROOT_CONTEXT, SpanKind: Kind, SpanStatusCode, trace } = api
  const kinds: Record<SpanKind, number> = { server: Kind.SERVER, client: Kind.CLIENT, consumer: Kind.CONSUMER }

  const open = (name: string, kind: SpanKind, parent: Context): Span =>
    wrap(tracer.startSpan(name, { kind: kinds[kind] }, parent))

  function wrap(span: OtelSpan): Span {
    return {
      child: (name, kind) => open(name, kind, trace.setSpan(ROOT_CONTEXT, span)),
      rename: (name) => void span.updateName(name),
      set: (attributes) => void span.setAttributes(attributes),
      fail(error) {
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
        span.setStatus({ code: SpanStatusCode.ERROR })
      },
      end: () => span.end(),
    }
  }

  return {
    start: (name, kind) => open(name, kind, ROOT_CONTEXT),
    // A collector that does not answer must not hold up the end.
    stop: () =>
      Promise.race([
        provider.shutdown().catch(() => {}),
        new Promise<void>((resolve) => setTimeout(resolve, flushWithinMs).unref()),
      ]),
  }
}
