/* The server, which is this machine. A refusal is an Error whose message is the server's sentence. */
import { W } from "./words.js";

async function asked(path, how) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...how });
  } catch {
    throw new Error(W.serverGone);
  }
  const text = await response.text();
  let data = {};
  try {
    data = JSON.parse(text);
  } catch {
    data = {};
  }
  if (!response.ok) throw new Error(data.error || W.refused(response.status));
  return data;
}

export const get = (path) => asked(`api/${path}`, {});

export const post = (path, body = {}) => asked(`api/${path}`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

export const upload = (file) =>
  asked(`api/upload?name=${encodeURIComponent(file.name)}`, { method: "PUT", body: file });

/* A move is sent again, with the same key, until the server has answered: it is one step in any case. */
export async function move(table, body) {
  const bytes = [...crypto.getRandomValues(new Uint8Array(12))];
  const key = bytes.map((one) => one.toString(16).padStart(2, "0")).join("");
  for (let tries = 0; ; tries += 1) {
    try {
      return await post(`table/${table}/move`, { ...body, key });
    } catch (error) {
      if (error.message !== W.serverGone || tries >= 3) throw error;
      await new Promise((done) => setTimeout(done, 400));
    }
  }
}
