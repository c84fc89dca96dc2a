"""Counts the products, creates three, and writes a value to each. Only the standard library.

It keeps the contract: test/contracts/conformance/client.test.ts plants mistakes in it.
"""

import http.client
import json
import os
import time
import urllib.error
import urllib.request

BASE_URL = os.environ["PRODUCT_PASSPORT_URL"]
KEY = os.environ["PRODUCT_PASSPORT_KEY"]


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


def send(method, path, body=None):
    """Returns the status and the parsed body."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE_URL + path, data=data, method=method)
    request.add_header("Authorization", f"Bearer {KEY}")
    if data is not None:
        request.add_header("Content-Type", "application/json")
    try:
        with OPENER.open(request, timeout=30) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        if error.code != 429:
            return error.code, None
        time.sleep(int(error.headers["Retry-After"]))
        return send(method, path, body)


def get(path):
    status, body = send("GET", path)
    if status != 200:
        raise SystemExit(f"GET {path} has status {status}")
    return body


def all_products():
    products = []
    while True:
        page = get(f"/products?offset={len(products)}")
        products += page["items"]
        if not page["items"] or len(products) >= page["total"]:
            return products


def ensure(product):
    status, _ = send("GET", f"/products/{product['slug']}")
    if status == 200:
        return
    try:
        send("POST", "/products", product)
    except (http.client.HTTPException, OSError):
        ensure(product)


tenant = get("/me")["tenant"]
products = all_products()
statuses = {product["registry_status"] for product in products}
for colour in ("red", "green", "blue"):
    slug = f"scarf-{colour}"
    ensure({"slug": slug, "name": f"Scarf {colour}", "product_group": "textile"})
    value = {"field_key": "country_of_origin", "value": "DE", "access_level": "public"}
    send("PUT", f"/products/{slug}/passport", [value])
print(f"{tenant['name']} had {len(products)} products with {len(statuses)} statuses")
