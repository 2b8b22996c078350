import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

/**
 * Prism knows one upstream; each scenario has a service of its own. So the upstream is this, which passes a
 * request on to the base address in its header `x-upstream`. With the header `x-answer` it answers that JSON
 * itself: a false answer, to see that Prism objects. Gives `{port, close}`.
 */
export async function openSwitchboard() {
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    port: server.address().port,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

async function pass(request, response) {
  const { method, url, headers } = request;
  const body = await buffer(request);
  const { 'x-answer': falseAnswer, 'x-upstream': upstream } = headers;
  if (falseAnswer)
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(falseAnswer);
  const kept = ['authorization', 'content-type'].filter((name) => headers[name] !== undefined);
  const answer = await fetch(upstream + url, {
    method,
    headers: Object.fromEntries(kept.map((name) => [name, headers[name]])),
    ...(body.length > 0 && { body }),
  });
  const type = answer.headers.get('content-type');
  response.writeHead(answer.status, type ? { 'content-type': type } : {});
  response.end(Buffer.from(await answer.arrayBuffer()));
}
