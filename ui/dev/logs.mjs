/** The stand-in's logs. That of a running task grows while it is read. */

const HEAD = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' };
const STEP_MS = 400;

const line = (i) => `2026-11-16T12:00:${String(i % 60).padStart(2, '0')}Z \x1b[32mINFO\x1b[0m  invoice ${1000 + i} of customer <b>acme</b> & sons written\n`;

export function logOf(task) {
  if (task.state === 'running') {
    const lines = Math.floor((Date.now() - Date.parse(task.started)) / STEP_MS);
    return [{ number: 1, text: Array.from({ length: lines }, (_, i) => line(i)).join('') }];
  }
  return (task.history ?? [])
    .filter((attempt) => attempt.started)
    .map((attempt) => ({ number: attempt.number, text: `starting attempt ${attempt.number} on ${attempt.worker}\n\x1b[33mconnecting…\x1b[0m\n${attempt.result?.message ?? attempt.outcome ?? ''}\n` }));
}

export function followLog(task, request, response) {
  response.writeHead(200, HEAD);
  response.write(': here\n\n');
  const sent = new Map();
  const seen = /^(\d+):(\d+)$/.exec(request.headers['last-event-id'] ?? '');
  if (seen) {
    sent.set(Number(seen[1]), Number(seen[2]));
  }
  const look = () => {
    for (const { number, text } of logOf(task)) {
      const from = sent.get(number) ?? 0;
      if (text.length > from) {
        response.write(`id: ${number}:${text.length}\nevent: log\ndata: ${JSON.stringify({ attempt: number, text: text.slice(from) })}\n\n`);
        sent.set(number, text.length);
      }
    }
    if (task.ended) {
      response.end('id: end\nevent: end\ndata: {}\n\n');
      clearInterval(timer);
    }
  };
  const timer = setInterval(look, STEP_MS);
  timer.unref();
  response.on('close', () => clearInterval(timer));
  look();
}
